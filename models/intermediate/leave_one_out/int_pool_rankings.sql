{{ config(materialized='table', meta={'rule': 'by_pool'}) }}

with

rankings as (

    select * from {{ ref('int_rankings') }}
    where
        {{ is_at_hand() }}
        and rank <= {{ deepest_cutoff() }}

),

pool_runs as (

    select * from {{ ref('int_pool_runs') }}
    where {{ is_at_hand() }}

),

pooled_runs as (

    select * from {{ ref('int_pooled_runs') }}
    where {{ is_at_hand() }}

),

pool_documents as (

    select * from {{ ref('int_pool_documents') }}
    where {{ is_at_hand() }}

),

-- the top documents of each run of a pool that the pool has judged
judged as (

    select
        pool_runs.collection_key,
        pool_runs.pool_key,
        pool_runs.run_key,
        pool_runs.organization_key,
        rankings.topic_key,
        rankings.rank,
        rankings.pooling_rank <= pooled_runs.pool_depth as is_own_contribution,
        pool_documents.is_relevant,
        pool_documents.sole_run_key,
        pool_documents.sole_organization_key
    from rankings
    inner join pool_runs on rankings.run_key = pool_runs.run_key
    inner join pooled_runs on rankings.run_key = pooled_runs.run_key
    inner join pool_documents
        on
            pool_runs.collection_key = pool_documents.collection_key
            and pool_runs.pool_key = pool_documents.pool_key
            and rankings.topic_key = pool_documents.topic_key
            and rankings.doc_key = pool_documents.doc_key

)

select * from judged
