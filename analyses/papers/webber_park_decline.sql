-- question: How do errors decline as common topics are added?
-- about: papers
--
-- Section 3.2 of Webber and Park 2009 (poolhouse experiment topics): a row per
-- collection, population, width, treatment of unjudged documents and measure.
-- adjusted_slope is the slope of the logarithm of the adjusted score's error
-- by the logarithm of (N - n) / (n N), with n of N topics; mixed_slope is the
-- slope through the origin of the mixed score's error, relative to the
-- unadjusted error, by (N - n) / N. n_sizes counts the numbers of common
-- topics.
with

errors as (

    select * from {{ ref('fct_experiment_topic_errors') }}
    where n_common_topics < n_topics

),

-- one row per population, width, treatment, measure and number of common topics
by_size as (

    select
        collection_id,
        population,
        width,
        unjudged,
        measure,
        n_common_topics,
        -- the error of the adjusted score should be proportional to the square root of the first, and the ratio of
        -- the errors of the mixed and the unadjusted score to the second
        (n_topics - n_common_topics) / (n_common_topics * n_topics) as sampling_factor,
        (n_topics - n_common_topics) / n_topics as share_of_other_topics,
        avg(mean_absolute_error) filter (where estimator = 'webber_park_topics') as adjusted_mae,
        avg(mean_absolute_error) filter (where estimator = 'mixed') as mixed_mae,
        avg(mean_absolute_error) filter (where estimator = 'unadjusted') as unadjusted_mae
    from errors
    group by
        collection_id,
        population,
        width,
        unjudged,
        measure,
        n_topics,
        n_common_topics

),

-- the same rows for the fits: an error of 0 has no logarithm, and cannot be a denominator
fittable as (

    select
        *,
        case when {{ comparable('adjusted_mae') }} > 0 then ln(adjusted_mae) end as log_adjusted_mae,
        case when {{ comparable('unadjusted_mae') }} > 0 then mixed_mae / unadjusted_mae end as mixed_share
    from by_size

),

-- one row per population, width, treatment and measure: least squares, in log-log for the adjusted score and
-- through the origin for the mixed score
fitted as (

    select
        collection_id,
        population,
        width,
        unjudged,
        measure,
        cast(count(*) as integer) as n_sizes,
        -- there is no line through a single point
        case when count(log_adjusted_mae) > 1 then regr_slope(log_adjusted_mae, ln(sampling_factor)) end
            as adjusted_slope,
        sum(share_of_other_topics * mixed_share)
        / sum(pow(share_of_other_topics, 2)) filter (where mixed_share is not null) as mixed_slope
    from fittable
    group by all

)

select * from fitted
