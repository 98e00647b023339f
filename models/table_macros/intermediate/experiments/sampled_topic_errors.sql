{{ config(arguments=['topic_estimates']) }}
{%- set estimates = {
    'unadjusted': ('unadjusted_score', none),
    'mixed': ('mixed_score', none),
    'sampled': ('sampled_score', none),
    'webber_park_topics': ('adjusted_score', none),
    'ratio_common_topics': ('ratio_score', 'is_ratio_fallback'),
    'regression_common_topics': ('regression_score', 'is_regression_fallback'),
} %}

with

estimates as (

    select * from query_table(topic_estimates)

),

-- one row per estimate: the error of each estimator
errors as (

    select
        {% for estimator, (score, is_fallback) in estimates.items() %}
            {{ comparable(score ~ ' - true_score') }} as {{ estimator }}_error,
        {% endfor %}
        * exclude (true_score)
    from estimates

),

-- one row per sample of runs and number of common topics: errors over the samples of topics (algorithm 3)
means as (

    select
        sample,
        unjudged,
        measure,
        n_topics,
        n_common_topics,
        cast(count(*) as integer) as n_topic_samples,
        cast(count(*) filter (where has_smaller_adjusted_variance) as integer) as n_smaller_adjusted_variance,
        has_smaller_variance_over_all_topics,
        {% for estimator, (score, is_fallback) in estimates.items() %}
            avg({{ estimator }}_error) as {{ estimator }}_mean,
            avg(abs({{ estimator }}_error)) as {{ estimator }}_absolute,
            avg(pow({{ estimator }}_error, 2)) as {{ estimator }}_squared,
            {% if is_fallback %}
                cast(count(*) filter (where {{ is_fallback }}) as integer) as {{ estimator }}_fallback,
            {% endif %}
        {% endfor %}
        cast(null as integer) as no_fallback
    from errors
    group by all

),

-- the same figures, one row for each estimator that has an estimate
mean_errors as (

    select
        sample,
        unjudged,
        measure,
        n_topics,
        n_common_topics,
        estimator,
        n_topic_samples,
        mean_error,
        mean_absolute_error,
        mean_squared_error,
        n_smaller_adjusted_variance,
        has_smaller_variance_over_all_topics,
        n_fallback
    from means
    unpivot include nulls (
        (mean_error, mean_absolute_error, mean_squared_error, n_fallback) for estimator in (
            {% for estimator, (score, is_fallback) in estimates.items() %}
                (
                    {{ estimator }}_mean,
                    {{ estimator }}_absolute,
                    {{ estimator }}_squared,
                    {{ estimator ~ '_fallback' if is_fallback else 'no_fallback' }}
                ) as {{ estimator }}
                {{- ',' if not loop.last }}
            {% endfor %}
        )
    )
    where mean_error is not null

)

select * from mean_errors
