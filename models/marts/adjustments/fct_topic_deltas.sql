with

{{ imports('int_collections', 'int_runs', residuals='int_candidate_residuals where pool_key = 0') }},

topic_scores as (

    select * from {{ ref('int_candidate_topic_scores') }}
    where
        pool_key = 0
        and judged_by = 'truth'

),

-- one row per pooled run, level, measure and topic: its true score, its score without the documents that leave
-- with it, and the unjudged weight then
topics as (

    select
        residuals.collection_key,
        residuals.run_key,
        residuals.level,
        residuals.measure,
        topic_scores.score as true_score,
        residuals.score as unpooled_score,
        residuals.residual
    from residuals
    inner join topic_scores using (run_key, topic_key, level, measure)

),

-- one row per pooled run, level and measure, as if all topics were common
deltas as (

    select
        topics.collection_key,
        topics.run_key,
        topics.level,
        topics.measure,
        {{ common_topic_columns('topics') }},
        {{ common_residual_columns('topics') }}
    from topics
    group by all

),

-- the same rows with the variance of the deltas that each estimator leaves unexplained
explained as (

    select
        * exclude (common_residual, residual_variance, residual_covariance, has_equal_residuals),
        common_residual as mean_residual,
        {{ ratio_variance() }} as ratio_variance,
        {{ regression_variance() }} as regression_variance
    from deltas

),

named as (

    select
        collections.collection_id,
        runs.run_id,
        explained.level,
        explained.measure,
        explained.n_common_topics as n_topics,
        explained.adjustment as mean_delta,
        explained.delta_variance,
        explained.true_variance,
        explained.mean_residual,
        explained.ratio_variance,
        explained.regression_variance
    from explained
    inner join collections using (collection_key)
    inner join runs using (run_key)

)

select * from named
