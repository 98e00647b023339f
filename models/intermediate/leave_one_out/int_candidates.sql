with

{{ imports('int_pool_runs', 'int_runs', 'int_run_topics') }},

-- the pool of all pooled runs of each collection
whole_pools as (

    select distinct
        collection_key,
        pool_key
    from pool_runs
    where pool_key = 0

),

-- one row per pool and run whose score is estimated as if it were not pooled: each run of the pool and, of the pool of
-- all pooled runs, each other run that answers a judged topic. Nothing leaves the pool with it. The others have
-- their scores (int_scores), and are not merged, which would take a quarter of the build of TREC-8
-- (docs/decisions/leaderboards.md).
candidates as (

    select
        collection_key,
        pool_key,
        run_key,
        organization_key,
        organization_key as own_organization_key,
        true as is_member,
        true as is_scored
    from pool_runs
    union all
    select
        runs.collection_key,
        whole_pools.pool_key,
        runs.run_key,
        0 as organization_key,
        runs.organization_key as own_organization_key,
        false as is_member,
        false as is_scored
    from runs
    inner join whole_pools using (collection_key)
    semi join run_topics using (run_key)
    anti join pool_runs using (run_key, pool_key)

)

select * from candidates
