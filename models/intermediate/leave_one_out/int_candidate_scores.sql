with

{{ imports(topic_scores='int_candidate_topic_scores') }},

-- one row per candidate, level, view and measure: the mean over the topics that the run answers
scores as (

    select
        collection_key,
        pool_key,
        run_key,
        level,
        judged_by,
        unjudged,
        measure,
        avg(score) as score,
        avg(anti_score) as anti_score,
        cast(count(*) as integer) as n_topics
    from topic_scores
    group by all

)

select * from scores
