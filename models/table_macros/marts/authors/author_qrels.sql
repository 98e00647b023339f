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
    inner join topics using (collection_key, topic_key)
    inner join documents using (collection_key, doc_key)

)

select * from named
