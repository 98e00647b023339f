{{ config(materialized='table', meta={'rule': 'by_run'}) }}

with

{{ imports('int_rankings', 'int_judgements') }},

pool_documents as (

    select * from {{ ref('int_pool_documents') }}
    where
        {{ is_at_hand() }}
        and pool_key = 0

),

-- the qrels, with the sole contributors of the documents
qrels as (

    select
        judgements.collection_key,
        judgements.topic_key,
        judgements.doc_key,
        judgements.grade,
        case when judgements.is_judged then judgements.is_relevant end as is_relevant,
        {{ sole_columns('pool_documents') }}
    from judgements
    left join pool_documents
        on
            judgements.collection_key = pool_documents.collection_key
            and judgements.topic_key = pool_documents.topic_key
            and judgements.doc_key = pool_documents.doc_key

),

-- the documents of every ranking that are in the qrels; the other documents only affect the ranks
judged as (

    select
        rankings.collection_key,
        rankings.run_key,
        rankings.topic_key,
        rankings.rank,
        qrels.grade,
        qrels.is_relevant,
        qrels.sole_run_key,
        qrels.sole_organization_key,
        qrels.sole_relevant_organization_key
    from rankings
    inner join qrels
        on
            rankings.collection_key = qrels.collection_key
            and rankings.topic_key = qrels.topic_key
            and rankings.doc_key = qrels.doc_key

)

select * from judged
