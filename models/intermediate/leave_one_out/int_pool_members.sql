with

pool_runs as (

    select * from {{ ref('int_pool_runs') }}

),

-- one row per pool, level and run: who leaves the pool when the run is left out, the run alone or
-- its whole organization
members as (

    select
        collection_key,
        pool_key,
        'run' as level,
        run_key,
        run_key as contributor_key
    from pool_runs
    union all
    select
        collection_key,
        pool_key,
        'organization' as level,
        run_key,
        organization_key as contributor_key
    from pool_runs

)

select * from members
