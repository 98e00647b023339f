{{ config(materialized='table', meta={'rule': 'pool'}) }}

with

{{ imports('int_runs', 'int_pool_depths', 'int_run_pool_depths') }},

-- pooled runs that answer a judged topic of a collection with a pool depth
pooled_states as (

    select * from {{ ref('int_pooled_states') }}
    where
        {{ is_at_hand() }}
        and is_pooled
        and looks_pooled is not null

),

pooled as (

    select
        runs.collection_key,
        runs.run_key,
        runs.organization_key,
        run_pool_depths.pool_depth,
        pool_depths.has_declared_runs as is_declared,
        runs.sha256
    from pooled_states
    inner join runs using (run_key)
    inner join run_pool_depths using (run_key)
    inner join pool_depths on pooled_states.collection_key = pool_depths.collection_key

)

select * from pooled
