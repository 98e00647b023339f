{{ config(materialized='by_collection') }}

with

pool_rankings as (

    select * from {{ ref('int_pool_rankings') }}
    where {{ is_changed() }}

),

pool_runs as (

    select * from {{ ref('int_pool_runs') }}
    where {{ is_changed() }}

),

-- one row per pool, pair and band of ranks: documents of the pooled run's own ranking that are
-- judged without the unpooled run, and without its organization
counts as (

    select
        pool_rankings.collection_key,
        pool_rankings.pool_key,
        pool_runs.run_key as unpooled_run_key,
        pool_rankings.run_key as pooled_run_key,
        {{ cutoff_band('pool_rankings.rank') }} as band,
        {{ counts_without_columns('pool_rankings', 'pool_runs.run_key', 'pool_runs.organization_key') }}
    from pool_rankings
    inner join pool_runs
        on
            pool_rankings.collection_key = pool_runs.collection_key
            and pool_rankings.pool_key = pool_runs.pool_key
            and pool_rankings.run_key <> pool_runs.run_key
    group by
        pool_rankings.collection_key,
        pool_rankings.pool_key,
        pool_runs.run_key,
        pool_rankings.run_key,
        band

)

select * from counts
