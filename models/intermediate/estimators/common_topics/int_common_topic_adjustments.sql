{#- A table, so that no mart holds a join that the engine would never end (docs/decisions/duckdb_hang.md). -#}
{{ config(materialized='table', meta={'rule': 'by_collection'}) }}

with

topic_estimates as (

    select * from {{ ref('int_common_topic_estimates') }}
    where {{ is_at_hand() }}

),

quantiles as (

    select * from {{ ref('quantiles') }}

),

-- one row per run, treatment, measure and estimator, less what is no estimate of anything open
estimates as (

    {% for estimator, score, standard_error, topic_scores in [
        ('unadjusted', 'unadjusted_score', none, none),
        ('mixed', 'mixed_score', none, none),
        ('sampled', 'sampled_score', 'sampled_standard_error', 'true_scores'),
        ('webber_park_topics', 'adjusted_score', 'adjusted_standard_error', 'deltas'),
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
            {{ unless_settled(score, 'unadjusted_score') }} as adjusted_score,
            {{ unless_settled_error(standard_error or 'cast(null as double)') }} as standard_error,
            -- what the estimate is the mean of, but for a constant: one of each common topic
            {{ topic_scores or 'cast(null as double [])' }} as topic_scores,
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
    inner join quantiles on {{ is_quantile_for('quantiles', 'estimates.n_common_topics') }}
    group by
        estimates.collection_key,
        estimates.run_key,
        estimates.unjudged,
        estimates.measure,
        estimates.estimator

),

adjustments as (

    select
        estimates.*,
        intervals.* exclude (collection_key, run_key, unjudged, measure, estimator)
    from estimates
    inner join intervals
        on
            estimates.collection_key = intervals.collection_key
            and estimates.run_key = intervals.run_key
            and estimates.unjudged = intervals.unjudged
            and estimates.measure = intervals.measure
            and estimates.estimator = intervals.estimator

)

select * from adjustments
