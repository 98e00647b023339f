{{
    config(
        materialized='table_macro',
        arguments=['collection', 'asked', "judgement_set := 'full'", "unjudged := 'nonrelevant'"],
        contract={'enforced': false},
    )
}}

with

topic_scores as (

    select * from {{ ref('topic_scores') }}(
        collection, asked, judgement_set := judgement_set, unjudged := unjudged
    )

),

measures as (

    select * from {{ ref('measures') }}

),

-- one row per run
run_scores as (

    select
        topic_scores.collection_id,
        topic_scores.run_id,
        topic_scores.judgement_set,
        topic_scores.unjudged,
        topic_scores.measure,
        {{ over_topics('topic_scores.score', 'measures.aggregation', 'topic_scores.is_answered') }} as score,
        {{ over_topics('topic_scores.score', 'measures.aggregation', 'true') }} as score_all_topics,
        cast(count(*) filter (where topic_scores.is_answered) as integer) as n_topics
    from topic_scores
    -- outer, so that what is wrong with the arguments is said and not joined away
    left join measures on measures.name = {{ asked_name('asked') }}
    group by
        topic_scores.collection_id,
        topic_scores.run_id,
        topic_scores.judgement_set,
        topic_scores.unjudged,
        topic_scores.measure

)

select * from run_scores
