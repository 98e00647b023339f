with

{{ imports('int_judgements', 'int_pool_documents where pool_key = 0') }},

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
    left join pool_documents using (collection_key, topic_key, doc_key)

)

select * from contributed
