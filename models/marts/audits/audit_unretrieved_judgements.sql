with

{{ imports('int_unretrieved_judgements', 'int_collections', 'int_topics', 'int_documents') }},

named as (

    select
        collections.collection_id,
        topics.topic_id,
        documents.doc_id,
        unretrieved_judgements.grade as relevance
    from unretrieved_judgements
    inner join collections on unretrieved_judgements.collection_key = collections.collection_key
    inner join topics
        on
            unretrieved_judgements.collection_key = topics.collection_key
            and unretrieved_judgements.topic_key = topics.topic_key
    inner join documents
        on
            unretrieved_judgements.collection_key = documents.collection_key
            and unretrieved_judgements.doc_key = documents.doc_key

)

select * from named
