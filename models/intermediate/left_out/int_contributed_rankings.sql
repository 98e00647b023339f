with

{{ imports('int_judged_rankings', 'int_pool_documents where pool_key = 0') }},

-- the documents of every ranking that are in the qrels, with their only contributors
contributed as (

    select
        judged_rankings.*,
        {{ sole_columns('pool_documents') }}
    from judged_rankings
    left join pool_documents using (collection_key, topic_key, doc_key)

)

select * from contributed
