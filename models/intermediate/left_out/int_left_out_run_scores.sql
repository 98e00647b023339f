{{ config(materialized='table') }}

with

{{ imports('int_measures', topic_scores='int_left_out_topic_scores') }},

-- one row per run, judgement set, treatment and measure
run_scores as (

    select
        topic_scores.collection_key,
        topic_scores.run_key,
        topic_scores.judgement_set,
        topic_scores.unjudged,
        topic_scores.measure,
        {{ scores_over_topics('topic_scores', 'measures.aggregation') }}
    from topic_scores
    inner join measures using (measure)
    group by all

)

select * from run_scores
