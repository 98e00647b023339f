with

{{ imports('int_pool_runs') }},

-- one row per pool and run whose scores are estimated as if it had left the pool, which is each run of the pool
candidates as (

    select
        collection_key,
        pool_key,
        run_key,
        organization_key
    from pool_runs

)

select * from candidates
