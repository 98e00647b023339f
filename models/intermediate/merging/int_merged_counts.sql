{#-
    The merge joins every ranking with every other, and the joins are written in the order in which
    they are cheap. On tables that the same build has just written, the planner's estimates are so
    far off that it turns them round and hashes the large side: TREC-8 then runs out of 3 GB, or
    takes 37 s and 3.4 GB; in the order written it takes 15 s and 1.5 GB.
-#}
{{ config(
    materialized='table', meta={'rule': 'by_pool'},
    pre_hook="set disabled_optimizers = 'join_order,build_side_probe_side'",
    post_hook="reset disabled_optimizers"
) }}

with

merged_rankings as (

    select * from {{ ref('int_merged_rankings') }}

),

pool_runs as (

    select * from {{ ref('int_pool_runs') }}
    where {{ is_at_hand() }}

),

pool_documents as (

    select * from {{ ref('int_pool_documents') }}
    where {{ is_at_hand() }}

),

experiments as (

    select * from {{ ref('int_experiments') }}
    where measure_name = 'P'

),

-- one row per pool in which precision is estimated: how deep it looks
pools as (

    select
        pool_key,
        max(cutoff) as deepest_cutoff
    from experiments
    group by pool_key

),

-- one row per pool and pair of its runs
pool_pairs as (

    select
        unpooled.collection_key,
        unpooled.pool_key,
        pools.deepest_cutoff,
        unpooled.run_key as unpooled_run_key,
        unpooled.organization_key as unpooled_organization_key,
        pooled.run_key as pooled_run_key
    from pool_runs as unpooled
    inner join pool_runs as pooled
        on
            unpooled.collection_key = pooled.collection_key
            and unpooled.pool_key = pooled.pool_key
            and unpooled.run_key <> pooled.run_key
    inner join pools on unpooled.pool_key = pools.pool_key

),

-- the merged rankings, a document a row
merged_documents as (

    select
        collection_key,
        unpooled_run_key,
        pooled_run_key,
        topic_key,
        {{ elements('doc_keys', 'merged_rank') }}
    from merged_rankings

),

-- one row per pool, pair and band of ranks: documents judged without the unpooled run, and without
-- its organization
counts as (

    select
        pool_pairs.collection_key,
        pool_pairs.pool_key,
        pool_pairs.unpooled_run_key,
        pool_pairs.pooled_run_key,
        {{ cutoff_band('merged_documents.merged_rank') }} as band,
        {{ counts_without_columns(
            'pool_documents',
            'cast(pool_documents.is_relevant as integer)',
            'cast(not pool_documents.is_relevant as integer)',
            'pool_pairs.unpooled_run_key',
            'pool_pairs.unpooled_organization_key'
        ) }}
    from merged_documents
    inner join pool_pairs
        on
            merged_documents.unpooled_run_key = pool_pairs.unpooled_run_key
            and merged_documents.pooled_run_key = pool_pairs.pooled_run_key
            and merged_documents.merged_rank <= pool_pairs.deepest_cutoff
    inner join pool_documents
        on
            pool_pairs.collection_key = pool_documents.collection_key
            and pool_pairs.pool_key = pool_documents.pool_key
            and merged_documents.topic_key = pool_documents.topic_key
            and merged_documents.doc_key = pool_documents.doc_key
    group by
        pool_pairs.collection_key,
        pool_pairs.pool_key,
        pool_pairs.unpooled_run_key,
        pool_pairs.pooled_run_key,
        band

)

select * from counts
