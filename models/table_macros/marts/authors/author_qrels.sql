{{ config(arguments=['collection', 'author']) }}
-- The judgements from which author_topic_scores computes.

with

{{ imports('int_collections', 'int_topics', 'int_documents') }},

-- one row: the collection, or an error that says which argument is wrong. Documents are relevant by the threshold of
-- their author
asked_collection as (

    select
        case
            when collection is null or author is null then error('an argument is null')
            when max(collection_key) is null then {{ no_such_collection('collection') }}
            when not bool_or(is_judged) then {{ not_judged('collection') }}
            {{ wrong_author() }}
            else max(collection_key)
        end as collection_key,
        cast(null as integer) as relevance_level
    from collections
    where collections.collection_id = collection

),

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
