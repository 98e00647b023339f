{{ config(materialized='by_collection') }}

with

runs as (

    select * from {{ ref('stg_runs') }}
    where {{ is_at_hand() }}

),

numbered as (

    select
        collection_key,
        organization,
        cast(row_number() over (partition by collection_key order by organization) as integer)
            as organization_key
    from runs
    group by
        collection_key,
        organization

)

select * from numbered
