{#-
    Rows that depend on this model are rebuilt where a row changes. The confidence of the depth changes with every
    run, and is therefore not here.
-#}
{{ config(materialized='table', meta={'rule': 'pool_definition'}) }}

with

collections as (

    select * from {{ ref('int_collections') }}
    where {{ is_at_hand() }}

),

voters as (

    select * from {{ ref('int_depth_voters') }}
    where {{ is_at_hand() }}

),

inferred_depths as (

    select * from {{ ref('int_inferred_depths') }}
    where {{ is_at_hand() }}

),

-- one row per collection with runs: whether the descriptions say which runs were pooled
declarations as (

    select
        collection_key,
        any_value(has_declared_runs) as has_declared_runs
    from voters
    group by collection_key

),

depths as (

    select
        collections.collection_key,
        declarations.has_declared_runs,
        cast(coalesce(collections.declared_pool_depth, inferred_depths.inferred_depth) as integer) as pool_depth,
        case
            when collections.declared_pool_depth is not null then 'declared'
            when inferred_depths.inferred_depth is not null then 'inferred'
            else 'unknown'
        end as pool_depth_source
    from collections
    inner join declarations on collections.collection_key = declarations.collection_key
    left join inferred_depths on collections.collection_key = inferred_depths.collection_key

)

select * from depths
