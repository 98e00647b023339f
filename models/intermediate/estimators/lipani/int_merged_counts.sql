{#-
    The merge joins every ranking with every other ranking, and the joins are written in the order in which they are
    cheap. On tables that the same build has just written, the planner's estimates are so wrong that it reverses the
    joins and hashes the large side. TREC-8 then runs out of 3 GB, or takes 37 s and 3.4 GB; in the written order it
    takes 15 s and 1.5 GB.
-#}
{{ config(
    materialized='table',
    pre_hook="set disabled_optimizers = 'join_order,build_side_probe_side'",
    post_hook="reset disabled_optimizers"
) }}

with

{{ imports('int_pool_runs', 'int_candidates') }},

merged_rankings as (

    select * from {{ ref('int_merged_rankings') }}

),

pool_documents as (

    select * from {{ ref('int_pool_documents') }}
    where
        {{ is_at_hand() }}
        and is_relevant is not null

),

pool_measures as (

    select * from {{ ref('int_pool_measures') }}
    where measure_name = 'P'

),

-- one row per pool in which precision is estimated: its deepest cutoff
pools as (

    select
        pool_key,
        max(cutoff) as deepest_cutoff
    from pool_measures
    group by pool_key

),

-- one row per pool, candidate and other run of the pool
pool_pairs as (

    select
        candidates.collection_key,
        candidates.pool_key,
        pools.deepest_cutoff,
        candidates.run_key as candidate_run_key,
        candidates.organization_key as candidate_organization_key,
        pool_runs.run_key as member_run_key
    from candidates
    inner join pool_runs
        on
            candidates.collection_key = pool_runs.collection_key
            and candidates.pool_key = pool_runs.pool_key
            and candidates.run_key <> pool_runs.run_key
    inner join pools on candidates.pool_key = pools.pool_key

),

-- the merged rankings, one row per document
merged_documents as (

    select
        collection_key,
        candidate_run_key,
        member_run_key,
        topic_key,
        {{ elements('doc_keys', 'merged_rank') }}
    from merged_rankings

),

-- one row per pool, pair and band of ranks: number of judged documents without the candidate, and without its
-- organization
counts as (

    select
        pool_pairs.collection_key,
        pool_pairs.pool_key,
        pool_pairs.candidate_run_key,
        pool_pairs.member_run_key,
        {{ cutoff_band('merged_documents.merged_rank') }} as band,
        {{ counts_without_columns(
            'pool_documents',
            'cast(pool_documents.is_relevant as integer)',
            'cast(not pool_documents.is_relevant as integer)',
            'pool_pairs.candidate_run_key',
            'pool_pairs.candidate_organization_key'
        ) }}
    from merged_documents
    inner join pool_pairs
        on
            merged_documents.candidate_run_key = pool_pairs.candidate_run_key
            and merged_documents.member_run_key = pool_pairs.member_run_key
            and merged_documents.merged_rank <= pool_pairs.deepest_cutoff
    inner join pool_documents
        on
            pool_pairs.collection_key = pool_documents.collection_key
            and pool_pairs.pool_key = pool_documents.pool_key
            and merged_documents.topic_key = pool_documents.topic_key
            and merged_documents.doc_key = pool_documents.doc_key
    group by all

)

select * from counts
