with

{{ imports(
    judgements='fct_judgements where ' ~ is_named_at_hand(),
    unretrieved='audit_unretrieved_judgements where ' ~ is_named_at_hand()
) }},

-- one row per document in the qrels
looked_at as (

    select
        judgements.collection_id,
        judgements.topic_id,
        judgements.doc_id,
        unretrieved.doc_id is null as is_retrieved
    from judgements
    left join unretrieved using (collection_id, topic_id, doc_id)

),

-- one row per collection
figures as (

    select
        collection_id,
        {{ figures(counted('is_retrieved', 'is_retrieved', naming=['topic_id', 'doc_id'], has_share=true)) }}
    from looked_at
    group by collection_id

)

select * from figures
