{{ config(materialized='by_collection') }}

with

topic_scores as (

    select * from {{ ref('int_topic_scores') }}
    where {{ is_at_hand() }}

),

judged_topics as (

    select * from {{ ref('int_judged_topics') }}
    where {{ is_at_hand() }}

),

-- one row per collection
topic_counts as (

    select
        collection_key,
        count(*) as n_judged_topics
    from judged_topics
    group by collection_key

),

-- one row per run, judgement set and measure
run_scores as (

    select
        topic_scores.collection_key,
        topic_scores.run_key,
        topic_scores.judgement_set,
        topic_scores.measure,
        avg(topic_scores.score) as score,
        sum(topic_scores.score) / any_value(topic_counts.n_judged_topics) as score_all_topics,
        cast(count(*) as integer) as n_topics
    from topic_scores
    inner join topic_counts on topic_scores.collection_key = topic_counts.collection_key
    group by
        topic_scores.collection_key,
        topic_scores.run_key,
        topic_scores.judgement_set,
        topic_scores.measure

)

select * from run_scores
