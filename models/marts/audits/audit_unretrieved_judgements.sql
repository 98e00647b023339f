with

{{ imports('int_unretrieved_judgements', 'int_collections', 'int_topics', 'int_documents') }},

named as (

    select
        collections.collection_id,
        topics.topic_id,
        documents.doc_id,
        unretrieved_judgements.grade as relevance
    from unretrieved_judgements
    inner join collections using (collection_key)
    inner join topics using (collection_key, topic_key)
    inner join documents using (collection_key, doc_key)

)

select * from named
