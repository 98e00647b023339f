{{ config(materialized='table') }}

with

{{ imports('int_topic_scores', 'int_measures') }},

-- one row per run, treatment and measure
run_scores as (

    select
        topic_scores.collection_key,
        topic_scores.run_key,
        topic_scores.unjudged,
        topic_scores.measure,
        {{ scores_over_topics('topic_scores', 'measures.aggregation') }}
    from topic_scores
    inner join measures using (measure)
    group by all

)

select * from run_scores
