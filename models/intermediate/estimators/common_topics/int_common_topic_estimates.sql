with

{{ imports('int_common_topics', topic_scores='int_common_topic_scores') }},

-- one row per run, treatment and measure: the figures of all topics
all_topics as (

    select
        collection_key,
        pool_key,
        run_key,
        unjudged,
        measure,
        cast(count(*) as integer) as n_topics,
        cast(sum(n_unjudged) as integer) as n_unjudged,
        avg(true_score) as true_score,
        avg(unpooled_score) as unadjusted_score,
        avg(residual) as mean_residual,
        {{ has_smaller_variance('var_samp(true_score - unpooled_score)', 'var_samp(true_score)') }}
            as has_smaller_variance_over_all_topics
    from topic_scores
    group by all

),

-- the scores on the common topics of each sample of topics
common_scores as (

    select
        topic_scores.*,
        common_topics.topic_sample,
        common_topics.n_asked,
        common_topics.place
    from topic_scores
    inner join common_topics using (collection_key, pool_key, run_key, topic_key)

),

-- one row per run, treatment, measure, sample of topics and number of topics: the figures of the common topics
common as (

    select
        common_scores.collection_key,
        common_scores.pool_key,
        common_scores.run_key,
        common_scores.unjudged,
        common_scores.measure,
        common_scores.topic_sample,
        common_scores.n_asked,
        cast(sum(common_scores.n_common_unjudged) as integer) as n_common_unjudged,
        {{ common_topic_columns('common_scores') }},
        {{ common_residual_columns('common_scores') }},
        -- ordered, so that the same seed draws the same resamples
        list(common_scores.true_score - common_scores.unpooled_score order by common_scores.place) as deltas,
        list(common_scores.true_score order by common_scores.place) as true_scores
    from common_scores
    group by all

),

-- the same rows with the figures of all topics
known as (

    select
        common.*,
        all_topics.n_topics,
        all_topics.n_unjudged,
        all_topics.true_score,
        all_topics.unadjusted_score,
        all_topics.mean_residual,
        all_topics.has_smaller_variance_over_all_topics
    from common
    inner join all_topics using (collection_key, pool_key, run_key, unjudged, measure)
    where common.n_common_topics > 0

),

-- the same rows with the adjustments by the residuals
adjusted as (

    select
        * exclude (residual_variance, residual_covariance, has_equal_residuals),
        {{ residual_adjustment_columns() }}
    from known

),

-- the same rows with the estimates (Webber & Park 2009, algorithm 2) and the estimates by residuals
estimates as (

    select
        * exclude (
            sampled_score, ratio_adjustment, ratio_variance, regression_adjustment, regression_variance
        ),
        {{ topic_estimate_columns() }},
        {{ residual_estimate_columns() }}
    from adjusted

)

select * from estimates
