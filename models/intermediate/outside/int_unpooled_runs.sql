with

{{ imports('int_runs', 'int_run_topics') }},

pooled_runs as (

    select * from {{ ref('int_pool_runs') }}
    where
        {{ is_at_hand() }}
        and pool_key = 0

),

-- one row per run that was not pooled and answers a judged topic, where there is a pool: a candidate of the pool, and
-- an organization of its own
unpooled_runs as (

    select
        runs.collection_key,
        0 as pool_key,
        runs.run_key,
        0 as organization_key
    from runs
    semi join run_topics on runs.run_key = run_topics.run_key
    semi join pooled_runs as pools on runs.collection_key = pools.collection_key
    anti join pooled_runs on runs.run_key = pooled_runs.run_key

)

select * from unpooled_runs
