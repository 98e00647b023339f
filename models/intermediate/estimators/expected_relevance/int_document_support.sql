{{ config(materialized='table', meta={'rule': 'by_collection'}) }}

with

{{ imports('int_rankings', 'int_other_contributors', 'int_unjudged_documents', 'int_pool_runs') }},

-- the documents that nobody else contributed, or one other organization, and those that are unjudged in another way
documents as (

    select
        collection_key,
        pool_key,
        topic_key,
        doc_key
    from other_contributors
    where
        n_others <= 1
        and is_member
    union
    select
        collection_key,
        pool_key,
        topic_key,
        doc_key
    from unjudged_documents

),

-- one row per pool, such document and organization of which a pooled run returns it at any rank
support as (

    select
        documents.collection_key,
        documents.pool_key,
        documents.topic_key,
        documents.doc_key,
        pool_runs.organization_key,
        {{ support_at('min(rankings.rank)') }} as support
    from rankings
    inner join pool_runs using (collection_key, run_key)
    inner join documents using (collection_key, pool_key, topic_key, doc_key)
    group by all

)

select * from support
