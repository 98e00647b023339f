{{ config(materialized='table', meta={'rule': 'by_pool'}) }}

with

pool_rankings as (

    select * from {{ ref('int_pool_rankings') }}
    where {{ is_at_hand() }}

),

pool_runs as (

    select * from {{ ref('int_pool_runs') }}
    where {{ is_at_hand() }}

),

-- one row per pool, run, band of ranks and sole contributors: judged documents of its own ranking
by_sole_contributor as (

    select
        collection_key,
        pool_key,
        run_key,
        {{ cutoff_band('rank') }} as band,
        sole_run_key,
        sole_organization_key,
        count(*) filter (where is_relevant) as n_relevant,
        count(*) filter (where not is_relevant) as n_non_relevant
    from pool_rankings
    group by
        collection_key,
        pool_key,
        run_key,
        band,
        sole_run_key,
        sole_organization_key

),

-- one row per pool, pair and band: those judged without the unpooled run, and its organization
counts as (

    select
        by_sole_contributor.collection_key,
        by_sole_contributor.pool_key,
        pool_runs.run_key as unpooled_run_key,
        by_sole_contributor.run_key as pooled_run_key,
        by_sole_contributor.band,
        {{ counts_without_columns(
            'by_sole_contributor',
            'by_sole_contributor.n_relevant',
            'by_sole_contributor.n_non_relevant',
            'pool_runs.run_key',
            'pool_runs.organization_key'
        ) }}
    from by_sole_contributor
    inner join pool_runs
        on
            by_sole_contributor.collection_key = pool_runs.collection_key
            and by_sole_contributor.pool_key = pool_runs.pool_key
            and by_sole_contributor.run_key <> pool_runs.run_key
    group by
        by_sole_contributor.collection_key,
        by_sole_contributor.pool_key,
        pool_runs.run_key,
        by_sole_contributor.run_key,
        by_sole_contributor.band

)

select * from counts
