{{ config(arguments=['collection', 'definition', "n := null"]) }}

with

{{ imports('int_topics', 'int_documents') }},

judgements as (

    select * from {{ ref('int_fair_judgements') }}(collection, definition, n := n)

),

-- one row per topic and document that stays judged
named as (

    select
        collection as collection_id,
        definition as definition,
        cast(n as integer) as n,
        topics.topic_id,
        documents.doc_id,
        judgements.grade as relevance,
        judgements.is_judged,
        judgements.is_relevant,
        judgements.best_rank,
        judgements.n_contributing_organizations
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
