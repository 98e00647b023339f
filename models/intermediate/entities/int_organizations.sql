{{ config(materialized='table') }}

with

{{ imports('stg_runs') }},

-- a key that does not change when runs and organizations are added
keyed as (

    select
        collection_key,
        organization,
        min(run_key) as organization_key
    from runs
    group by all

)

select * from keyed
