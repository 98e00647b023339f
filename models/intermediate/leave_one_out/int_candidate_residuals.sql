with

{{ imports('int_run_topics', 'int_pool_measures', 'int_top_weights') }},

topic_scores as (

    select * from {{ ref('int_candidate_topic_scores') }}
    where
        judged_by = 'pool'
        and unjudged = 'nonrelevant'

),

-- the same rows with the number of top documents. It has a column, because the engine would otherwise join every number
-- and compare it afterwards.
topped as (

    select
        topic_scores.*,
        least(run_topics.n_retrieved, pool_measures.cutoff) as n_top
    from topic_scores
    inner join run_topics using (collection_key, run_key, topic_key)
    inner join pool_measures using (pool_key, measure)

),

-- one row per candidate, topic that it answers, level and measure: its score without the documents that leave with
-- it, and the weight that is unjudged then
residuals as (

    select
        topped.collection_key,
        topped.pool_key,
        topped.run_key,
        topped.topic_key,
        topped.level,
        topped.measure,
        topped.score,
        {{ residual('topped.n_top - topped.n_judged', 'top_weights.weight', 'topped.score + topped.anti_score') }}
            as residual
    from topped
    inner join top_weights using (measure, n_top)

)

select * from residuals
