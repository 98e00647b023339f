with

topic_scores as (

    select * from {{ ref('int_candidate_topic_scores') }}
    where pool_key = 0

),

-- one row per pooled run, level, measure and topic: its true score, and its score without what leaves with it
topics as (

    select
        collection_key,
        run_key,
        level,
        measure,
        topic_key,
        max(score) filter (where judged_by = 'truth') as true_score,
        max(score) filter (where judged_by = 'pool' and unjudged = 'nonrelevant') as unpooled_score
    from topic_scores
    group by
        collection_key,
        run_key,
        level,
        measure,
        topic_key

),

-- one row per pooled run, level and measure: as if all topics were common
deltas as (

    select
        topics.collection_key,
        topics.run_key,
        topics.level,
        topics.measure,
        {{ common_topic_columns('topics') }}
    from topics
    group by
        topics.collection_key,
        topics.run_key,
        topics.level,
        topics.measure

)

select * from deltas
