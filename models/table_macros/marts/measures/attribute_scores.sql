{{ config(arguments=['collection', 'asked', 'attribute', "judgement_set := 'full'", "unjudged := 'nonrelevant'"]) }}
-- An argument has the name of a keyword:
-- noqa: disable=RF04

with

{{ imports('int_collections', 'int_topics', 'int_topic_attributes', 'measures') }},

topic_scores as (

    select * from {{ ref('topic_scores') }}(
        collection, asked, judgement_set := judgement_set, unjudged := unjudged
    )

),

-- one row: the collection, or an error that says which argument is wrong
asked_collection as (

    select
        case
            when attribute is null then error('an argument is null')
            when max(collections.collection_key) is null then {{ no_such_collection('collection') }}
            when count(topic_attributes.attribute) = 0
                then error(collection || ' has no attributes of topics: poolhouse load --topic-attributes')
            when not bool_or(topic_attributes.attribute = attribute)
                then error(
                    attribute || ' is no attribute of topics of ' || collection || '; it has '
                    || string_agg(distinct topic_attributes.attribute, ', ' order by topic_attributes.attribute)
                )
            else max(collections.collection_key)
        end as collection_key
    from collections
    left join topic_attributes using (collection_key)
    where collections.collection_id = collection

),

-- one row per topic of the collection, with its value; null where the file has no value for it
sliced_topics as (

    select
        topics.topic_id,
        topic_attributes.value
    from asked_collection
    inner join topics using (collection_key)
    left join topic_attributes
        on
            topics.collection_key = topic_attributes.collection_key
            and topics.topic_key = topic_attributes.topic_key
            and topic_attributes.attribute = attribute

),

-- one row per run and value
sliced_scores as (

    select
        topic_scores.collection_id,
        topic_scores.run_id,
        topic_scores.judgement_set,
        topic_scores.unjudged,
        topic_scores.measure,
        attribute as attribute,
        sliced_topics.value,
        {{ over_topics('topic_scores.score', 'measures.aggregation', 'topic_scores.is_answered') }} as score,
        {{ over_topics('topic_scores.score', 'measures.aggregation', 'true') }} as score_all_topics,
        cast(count(*) filter (where topic_scores.is_answered) as integer) as n_topics,
        cast(count(*) as integer) as n_judged_topics
    from topic_scores
    inner join sliced_topics using (topic_id)
    -- an outer join, so that an error about the arguments is raised and not joined away
    left join measures on measures.name = {{ asked_name('asked') }}
    group by all

)

select * from sliced_scores
