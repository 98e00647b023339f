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
    inner join topics using (collection_key, topic_key)
    inner join documents using (collection_key, doc_key)

)

select * from named
