{{ config(materialized='table') }}

with

{{ imports('quantiles', topic_estimates='int_common_topic_estimates') }},

-- one row per run, treatment, measure and estimator, without rows that estimate nothing
estimates as (

    {% for estimator, score, standard_error, topic_scores, is_fallback in [
        ('unadjusted', 'unadjusted_score', none, none, none),
        ('mixed', 'mixed_score', none, none, none),
        ('sampled', 'sampled_score', 'sampled_standard_error', 'true_scores', none),
        ('webber_park_topics', 'adjusted_score', 'adjusted_standard_error', 'deltas', none),
        ('ratio_common_topics', 'ratio_score', 'ratio_standard_error', none, 'is_ratio_fallback'),
        (
            'regression_common_topics', 'regression_score', 'regression_standard_error', none,
            'is_regression_fallback'
        ),
    ] %}
        select
            collection_key,
            pool_key,
            run_key,
            unjudged,
            measure,
            '{{ estimator }}' as estimator,
            n_topics,
            n_common_topics,
            n_unjudged,
            n_common_unjudged,
            unadjusted_score,
            mean_residual,
            {{ unless_settled(score, 'unadjusted_score') }} as adjusted_score,
            {{ unless_settled_error(standard_error or 'cast(null as double)') }} as standard_error,
            -- the values whose mean is the estimate, except for a constant: one value per common topic
            {{ topic_scores or 'cast(null as double [])' }} as topic_scores,
            -- where the score is not adjusted, there is no fallback
            case when n_unjudged > 0 then {{ is_fallback or 'cast(null as boolean)' }} end as is_fallback,
            {{ degrees_of_freedom("'" ~ estimator ~ "'", 'n_common_topics', is_fallback or 'false') }}
                as degrees_of_freedom,
            {% if estimator == 'webber_park_topics' %}
                {{ verdict_by_error('has_smaller_adjusted_variance', standard_error) }}
                    as has_smaller_adjusted_variance,
                {{ verdict_by_error('is_adjustment_beyond_its_error', standard_error) }}
                    as is_adjustment_beyond_its_error
            {% else %}
                cast(null as boolean) as has_smaller_adjusted_variance,
                cast(null as boolean) as is_adjustment_beyond_its_error
            {% endif %}
        from topic_estimates
        {% if is_fallback %}
            -- no estimate for condensed scores, and no line through two topics
            where {{ score }} is not null
        {% endif %}
        {{ 'union all' if not loop.last }}
    {% endfor %}

),

-- the same rows with intervals
intervals as (

    select
        estimates.collection_key,
        estimates.run_key,
        estimates.unjudged,
        estimates.measure,
        estimates.estimator,
        {{ interval_columns('estimates.adjusted_score', 'estimates.standard_error', 'quantiles') }}
    from estimates
    inner join quantiles on {{ is_quantile_for('quantiles', 'estimates.degrees_of_freedom') }}
    group by all

),

adjustments as (

    select
        estimates.* exclude (degrees_of_freedom),
        intervals.* exclude (collection_key, run_key, unjudged, measure, estimator)
    from estimates
    inner join intervals using (collection_key, run_key, unjudged, measure, estimator)

)

select * from adjustments
