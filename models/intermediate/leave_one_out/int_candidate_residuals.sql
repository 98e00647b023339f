with

{{ imports('int_run_topics', 'int_pool_measures', 'int_top_weights') }},

topic_scores as (

    select * from {{ ref('int_candidate_topic_scores') }}
    where
        judged_by = 'pool'
        and unjudged = 'nonrelevant'

),

-- one row per candidate, topic that it answers, level and measure: its score without the documents that leave with
-- it, and the weight that is unjudged then
residuals as (

    select
        topic_scores.collection_key,
        topic_scores.pool_key,
        topic_scores.run_key,
        topic_scores.topic_key,
        topic_scores.level,
        topic_scores.measure,
        topic_scores.score,
        {{ residual(
            'top_weights.n_top - topic_scores.n_judged', 'top_weights.weight',
            'topic_scores.score + topic_scores.anti_score'
        ) }} as residual
    from topic_scores
    inner join run_topics using (collection_key, run_key, topic_key)
    inner join pool_measures using (pool_key, measure)
    inner join top_weights
        on
            topic_scores.measure = top_weights.measure
            and top_weights.n_top = least(run_topics.n_retrieved, pool_measures.cutoff)

)

select * from residuals
