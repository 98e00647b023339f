with

{{ imports(
    'quantiles', 'int_collections', topic_estimates='fct_experiment_topic_estimates',
    bootstrap_intervals='experiments.bootstrap_intervals'
) }},

-- the estimates, with a null column for the estimator that has no fallback
estimates as (

    select
        *,
        cast(null as boolean) as has_none
    from topic_estimates

),

-- one row per estimate and estimator
by_estimator as (

    select
        collection_id,
        population,
        width,
        sample,
        unjudged,
        measure,
        n_common_topics,
        estimator,
        score,
        standard_error,
        is_fallback
    from estimates
    unpivot include nulls (
        (score, standard_error, is_fallback) for estimator in (
            (adjusted_score, adjusted_standard_error, has_none) as webber_park_topics,
            (ratio_score, ratio_standard_error, is_ratio_fallback) as ratio_common_topics,
            (regression_score, regression_standard_error, is_regression_fallback) as regression_common_topics
        )
    )

),

-- the same rows with the standard error of the interval. Where topics are alike there is no standard error, and
-- the interval is a point. A single topic has no interval.
reaching as (

    select
        * exclude (standard_error, is_fallback),
        case when n_common_topics > 1 then coalesce(standard_error, 0) end as standard_error,
        {{ degrees_of_freedom('estimator', 'n_common_topics', 'is_fallback') }} as degrees_of_freedom
    from by_estimator
    where score is not null

),

-- one row per estimate, estimator, confidence and method that takes a number of standard errors on either side
from_standard_errors as (

    select
        reaching.collection_id,
        reaching.population,
        reaching.width,
        reaching.sample,
        reaching.unjudged,
        reaching.measure,
        reaching.n_common_topics,
        reaching.estimator,
        quantiles.method,
        quantiles.confidence,
        reaching.score - quantiles.quantile * reaching.standard_error as lower_bound,
        reaching.score + quantiles.quantile * reaching.standard_error as upper_bound
    from reaching
    inner join quantiles on {{ is_quantile_for('quantiles', 'reaching.degrees_of_freedom') }}

),

-- one row per estimate and confidence
from_bootstrap as (

    select
        collections.collection_id,
        bootstrap_intervals.* exclude (collection_key, experiment),
        'webber_park_topics' as estimator,
        'bootstrap' as method
    from bootstrap_intervals
    inner join collections using (collection_key)

),

intervals as (

    select * from from_standard_errors
    union all by name
    select * from from_bootstrap

),

-- the same rows with the true scores that the intervals should contain
compared as (

    select
        intervals.collection_id,
        intervals.population,
        intervals.width,
        intervals.sample,
        intervals.unjudged,
        intervals.measure,
        intervals.n_common_topics,
        intervals.estimator,
        intervals.method,
        intervals.confidence,
        intervals.lower_bound,
        intervals.upper_bound,
        {{ comparable('topic_estimates.true_score') }}
        between {{ comparable('intervals.lower_bound') }} and {{ comparable('intervals.upper_bound') }}
            as holds_true_score,
        {{ comparable('intervals.upper_bound - intervals.lower_bound') }} = 0 as has_no_width
    from intervals
    inner join topic_estimates using (collection_id, population, width, sample, unjudged, measure, n_common_topics)
    where intervals.lower_bound is not null

)

select * from compared
