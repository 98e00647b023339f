{{ config(materialized='table') }}

with

candidates as (

    select * from {{ ref('int_candidates') }}
    where
        {{ is_at_hand() }}
        and is_scored

),

pool_rankings as (

    select * from {{ ref('int_pool_rankings') }}
    where
        {{ is_at_hand() }}
        and {{ cutoff_band('rank') }} is not null

),

-- one row per pool, run, band of ranks and sole contributors: number of judged documents in the run's own ranking
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
    group by all

),

-- one row per pool, pair and band: number of documents that are judged without the candidate, and without its
-- organization
counts as (

    select
        by_sole_contributor.collection_key,
        by_sole_contributor.pool_key,
        candidates.run_key as candidate_run_key,
        by_sole_contributor.run_key as member_run_key,
        by_sole_contributor.band,
        {{ counts_without_columns(
            'by_sole_contributor',
            'by_sole_contributor.n_relevant',
            'by_sole_contributor.n_non_relevant',
            'candidates.run_key',
            'candidates.organization_key'
        ) }}
    from by_sole_contributor
    inner join candidates
        on
            by_sole_contributor.collection_key = candidates.collection_key
            and by_sole_contributor.pool_key = candidates.pool_key
            and by_sole_contributor.run_key <> candidates.run_key
    group by all

)

select * from counts
