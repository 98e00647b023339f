with

{{ imports('int_collections', topic_estimates='experiments.topic_estimates') }},

named as (

    select
        collections.collection_id,
        topic_estimates.population,
        topic_estimates.width,
        topic_estimates.sample,
        topic_estimates.unjudged,
        topic_estimates.measure,
        topic_estimates.n_topics,
        topic_estimates.n_common_topics,
        topic_estimates.true_score,
        topic_estimates.unadjusted_score,
        topic_estimates.adjustment,
        topic_estimates.mixed_score,
        topic_estimates.sampled_score,
        topic_estimates.adjusted_score,
        topic_estimates.delta_variance,
        topic_estimates.true_variance,
        topic_estimates.sampled_standard_error,
        topic_estimates.adjusted_standard_error,
        topic_estimates.has_equal_deltas,
        topic_estimates.has_smaller_adjusted_variance,
        topic_estimates.is_adjustment_beyond_its_error,
        topic_estimates.mean_residual,
        topic_estimates.common_residual,
        topic_estimates.ratio_score,
        topic_estimates.ratio_standard_error,
        topic_estimates.is_ratio_fallback,
        topic_estimates.regression_score,
        topic_estimates.regression_standard_error,
        topic_estimates.is_regression_fallback
    from topic_estimates
    inner join collections using (collection_key)

)

select * from named
