with

{{ imports('int_judged_rankings', 'int_pool_documents where pool_key = 0') }},

-- the documents of every ranking that are in the qrels, with their only contributors
contributed as (

    select
        judged_rankings.*,
        {{ sole_columns('pool_documents') }}
    from judged_rankings
    left join pool_documents
        on
            judged_rankings.collection_key = pool_documents.collection_key
            and judged_rankings.topic_key = pool_documents.topic_key
            and judged_rankings.doc_key = pool_documents.doc_key

)

select * from contributed
