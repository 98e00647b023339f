with

topic_estimates as (

    select * from {{ source('experiments', 'topic_estimates') }}

)

select
    collection_key,
    experiment,
    population,
    width,
    sample,
    unjudged,
    measure,
    n_topics,
    n_common_topics,
    true_score,
    unadjusted_score,
    adjustment,
    mixed_score,
    sampled_score,
    adjusted_score,
    delta_variance,
    true_variance,
    sampled_standard_error,
    adjusted_standard_error,
    has_equal_deltas,
    has_smaller_adjusted_variance,
    is_adjustment_beyond_its_error,
    mean_residual,
    common_residual,
    ratio_score,
    ratio_standard_error,
    is_ratio_fallback,
    regression_score,
    regression_standard_error,
    is_regression_fallback
from topic_estimates
