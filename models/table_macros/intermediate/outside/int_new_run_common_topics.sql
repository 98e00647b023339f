{{ config(materialized='own_macro', arguments=['collection', 'run_table', 'common_table']) }}

with

{{ imports('int_collections', 'int_topics', 'int_documents', 'int_judged_topics', 'int_judgements where is_judged') }},

rankings as (

    select * from {{ ref('int_new_run_rankings') }}(collection, run_table)

),

common_judgements as (

    select * from {{ ref('int_new_run_common_judgements') }}(collection, common_table)

),

-- the judged topics of the collection
asked_topics as (

    select
        topics.collection_key,
        topics.topic_key,
        topics.topic_id
    from collections
    inner join topics using (collection_key)
    inner join judged_topics using (collection_key, topic_key)
    where collections.collection_id = collection

),

answered_topics as (

    select distinct topic_id
    from rankings

),

-- one row per topic and document that is judged for the run, with the judgement of the collection
compared as (

    select
        common_judgements.topic_id,
        asked_topics.topic_id is not null as is_judged,
        answered_topics.topic_id is not null as is_answered,
        coalesce(common_judgements.grade <> judgements.grade, false) as is_conflicting
    from common_judgements
    left join asked_topics using (topic_id)
    left join answered_topics using (topic_id)
    left join documents using (collection_key, doc_id)
    left join judgements using (collection_key, topic_key, doc_key)

),

-- one row: number of topics that are judged for the run, number of those among them that cannot be used, and
-- number of documents with another grade in the collection
figures as (

    select
        cast(count(distinct topic_id) filter (where is_answered) as integer) as n_common_topics,
        cast(count(distinct topic_id) filter (where not is_judged) as integer) as n_not_judged,
        cast(count(distinct topic_id) filter (where is_judged and not is_answered) as integer)
            as n_not_answered,
        cast(count(*) filter (where is_answered and is_conflicting) as integer) as n_conflicting
    from compared

)

select * from figures
