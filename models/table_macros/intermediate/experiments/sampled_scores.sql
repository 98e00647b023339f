{{ config(arguments=['topic_scores']) }}

with

topic_scores as (

    select * from query_table(topic_scores)

),

-- one row per sample, treatment and measure: means over the judged topics, without adjustment
scores as (

    select
        pool_key as sample,
        unjudged,
        measure,
        'unadjusted' as estimator,
        avg(true_score) as true_score,
        avg(unpooled_score) as estimate
    from topic_scores
    group by
        pool_key,
        unjudged,
        measure

)

select * from scores
