with

{{ imports('int_judgements') }},

pool_documents as (

    select * from {{ ref('int_pool_documents') }}
    where pool_key = 0

),

-- the qrels, with the only contributors of a document
contributed as (

    select
        judgements.collection_key,
        judgements.topic_key,
        judgements.doc_key,
        judgements.grade,
        judgements.is_judged,
        judgements.is_relevant,
        {{ sole_columns('pool_documents') }}
    from judgements
    left join pool_documents
        on
            judgements.collection_key = pool_documents.collection_key
            and judgements.topic_key = pool_documents.topic_key
            and judgements.doc_key = pool_documents.doc_key

)

select * from contributed
