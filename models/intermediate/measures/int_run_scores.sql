{{ config(materialized='table') }}

with

{{ imports('int_topic_scores', 'int_measures') }},

-- one row per run, judgement set, treatment and measure
run_scores as (

    select
        topic_scores.collection_key,
        topic_scores.run_key,
        topic_scores.judgement_set,
        topic_scores.unjudged,
        topic_scores.measure,
        {{ over_topics('topic_scores.score', 'measures.aggregation', 'topic_scores.is_answered') }} as score,
        {{ over_topics('topic_scores.score', 'measures.aggregation', 'true') }} as score_all_topics,
        cast(count(*) filter (where topic_scores.is_answered) as integer) as n_topics
    from topic_scores
    inner join measures on topic_scores.measure = measures.measure
    group by all

)

select * from run_scores
