{{ config(materialized='table', meta={'rule': 'pool_definition'}) }}

with

collections as (

    select * from {{ ref('int_collections') }}
    where {{ is_at_hand() }}

),

runs as (

    select * from {{ ref('int_runs') }}
    where {{ is_at_hand() }}

),

run_depths as (

    select * from {{ ref('int_run_depths') }}
    where {{ is_at_hand() }}

),

-- one row per collection: whether anyone said which runs were pooled
declarations as (

    select
        collection_key,
        count(is_declared_pooled) > 0 as has_declared_runs
    from runs
    group by collection_key

),

-- runs whose depth has a vote, if they have one: the declared ones where there are any, else all but
-- those that came when the pool was judged
voters as (

    select
        run_depths.collection_key,
        run_depths.depth
    from run_depths
    inner join runs on run_depths.run_key = runs.run_key
    inner join declarations on run_depths.collection_key = declarations.collection_key
    where
        case
            when declarations.has_declared_runs then runs.is_declared_pooled
            else runs.is_after_pool is not true
        end

),

-- one row per collection with voters: whether the qrels end within the list of any of them
told as (

    select
        collection_key,
        count(depth) > 0 as is_depth_told
    from voters
    group by collection_key

),

-- one row per collection: the most frequent depth above 0, the larger on a tie
inferred as (

    select
        collection_key,
        depth
    from voters
    where depth > 0
    group by
        collection_key,
        depth
    qualify row_number() over (partition by collection_key order by count(*) desc, depth desc) = 1

),

depths as (

    select
        collections.collection_key,
        declarations.has_declared_runs,
        coalesce(told.is_depth_told, false) as is_depth_told,
        inferred.depth as inferred_depth,
        cast(coalesce(collections.declared_pool_depth, inferred.depth) as integer) as pool_depth,
        case
            when collections.declared_pool_depth is not null then 'declared'
            when inferred.depth is not null then 'inferred'
            else 'unknown'
        end as pool_depth_source
    from collections
    inner join declarations on collections.collection_key = declarations.collection_key
    left join told on collections.collection_key = told.collection_key
    left join inferred on collections.collection_key = inferred.collection_key

)

select * from depths
