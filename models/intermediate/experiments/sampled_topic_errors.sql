{{ config(materialized='table_macro', arguments=['topic_scores', 'topics', 'sizes']) }}

with

topic_estimates as (

    select * from {{ ref('sampled_topic_estimates') }}(topic_scores, topics, sizes)

),

-- one row per estimate and estimator
errors as (

    select
        sample,
        unjudged,
        measure,
        n_topics,
        n_common_topics,
        has_smaller_adjusted_variance,
        has_smaller_variance_over_all_topics,
        estimator,
        {{ comparable('estimate - true_score') }} as error
    from topic_estimates
    unpivot (
        estimate for estimator in (
            unadjusted_score as unadjusted,
            mixed_score as mixed,
            sampled_score as sampled,
            adjusted_score as webber_park_topics
        )
    )

),

-- one row per sample of runs, number of common topics and estimator: over the samples of topics
-- (algorithm 3)
mean_errors as (

    select
        sample,
        unjudged,
        measure,
        n_topics,
        n_common_topics,
        estimator,
        cast(count(*) as integer) as n_topic_samples,
        avg(error) as mean_error,
        avg(abs(error)) as mean_absolute_error,
        avg(pow(error, 2)) as mean_squared_error,
        cast(count(*) filter (where has_smaller_adjusted_variance) as integer) as n_smaller_adjusted_variance,
        has_smaller_variance_over_all_topics
    from errors
    group by
        sample,
        unjudged,
        measure,
        n_topics,
        n_common_topics,
        estimator,
        has_smaller_variance_over_all_topics

)

select * from mean_errors
