{{ config(arguments=['collection', 'author']) }}
-- The judgements from which author_topic_scores computes.

with

{{ imports('int_collections', 'int_topics', 'int_documents') }},

-- documents are relevant by the threshold of their author
{{ asked_collection(['collection', 'author'], wrong_author(), relevance_level='cast(null as integer)') }},

{{ judged_by_author() }},

named as (

    select
        collection as collection_id,
        author as author,
        topics.topic_id,
        documents.doc_id,
        judgements.grade,
        judgements.is_relevant
    from judgements
    inner join topics
        on
            judgements.collection_key = topics.collection_key
            and judgements.topic_key = topics.topic_key
    inner join documents
        on
            judgements.collection_key = documents.collection_key
            and judgements.doc_key = documents.doc_key

)

select * from named
