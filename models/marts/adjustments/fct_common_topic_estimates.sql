with

{{ imports('int_collections', 'int_runs', adjustments='int_common_topic_adjustments') }},

-- one row per run, treatment and measure, with one column per estimator
side_by_side as (

    select
        collection_key,
        run_key,
        measure,
        unjudged,
        n_topics,
        n_common_topics,
        n_unjudged,
        unadjusted_score,
        max(adjusted_score) filter (where estimator = 'mixed') as mixed_score,
        max(adjusted_score) filter (where estimator = 'sampled') as sampled_score,
        max(adjusted_score) filter (where estimator = 'webber_park_topics') as adjusted_score,
        max(standard_error) filter (where estimator = 'sampled') as sampled_standard_error,
        max(standard_error) filter (where estimator = 'webber_park_topics') as adjusted_standard_error,
        -- other estimators have none
        bool_or(has_smaller_adjusted_variance) as has_smaller_adjusted_variance,
        bool_or(is_adjustment_beyond_its_error) as is_adjustment_beyond_its_error,
        max(t_68_low) filter (where estimator = 'webber_park_topics') as t_68_low,
        max(t_68_high) filter (where estimator = 'webber_park_topics') as t_68_high,
        max(t_95_low) filter (where estimator = 'webber_park_topics') as t_95_low,
        max(t_95_high) filter (where estimator = 'webber_park_topics') as t_95_high,
        max(adjusted_score) filter (where estimator = 'ratio_common_topics') as ratio_score,
        max(standard_error) filter (where estimator = 'ratio_common_topics') as ratio_standard_error,
        bool_or(is_fallback) filter (where estimator = 'ratio_common_topics') as is_ratio_fallback,
        max(t_68_low) filter (where estimator = 'ratio_common_topics') as ratio_t_68_low,
        max(t_68_high) filter (where estimator = 'ratio_common_topics') as ratio_t_68_high,
        max(t_95_low) filter (where estimator = 'ratio_common_topics') as ratio_t_95_low,
        max(t_95_high) filter (where estimator = 'ratio_common_topics') as ratio_t_95_high,
        max(adjusted_score) filter (where estimator = 'regression_common_topics') as regression_score,
        max(standard_error) filter (where estimator = 'regression_common_topics') as regression_standard_error,
        bool_or(is_fallback) filter (where estimator = 'regression_common_topics') as is_regression_fallback,
        max(t_68_low) filter (where estimator = 'regression_common_topics') as regression_t_68_low,
        max(t_68_high) filter (where estimator = 'regression_common_topics') as regression_t_68_high,
        max(t_95_low) filter (where estimator = 'regression_common_topics') as regression_t_95_low,
        max(t_95_high) filter (where estimator = 'regression_common_topics') as regression_t_95_high
    from adjustments
    group by all

),

named as (

    select
        collections.collection_id,
        runs.run_id,
        side_by_side.* exclude (collection_key, run_key)
    from side_by_side
    inner join collections using (collection_key)
    inner join runs using (run_key)

)

select * from named
