with

{{ imports('int_runs', 'int_run_topics') }},

pool_runs as (

    select * from {{ ref('int_pool_runs') }}
    where pool_key = 0

),

-- one row per run that was not pooled and answers a judged topic, where there is a pool
candidates as (

    select
        runs.collection_key,
        0 as pool_key,
        runs.run_key,
        runs.organization_key
    from runs
    semi join run_topics on runs.run_key = run_topics.run_key
    semi join pool_runs as pools on runs.collection_key = pools.collection_key
    anti join pool_runs on runs.run_key = pool_runs.run_key

)

select * from candidates
