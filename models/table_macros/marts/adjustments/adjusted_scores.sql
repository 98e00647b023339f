{{ config(arguments=['collection', 'run_table', 'except_run := null']) }}

with

{{ imports(
    'int_judged_topics', 'int_pool_depths', 'int_recommended_estimators', 'int_pool_measures where pool_key = 0'
) }},

new_run_estimates as (

    select * from {{ ref('int_new_run_estimates') }}(collection, run_table)

),

estimator_errors as (

    select * from {{ ref('int_estimator_errors') }}
    where
        level = 'organization'
        and pool_key = 0

),

{{ scores_of_other_runs() }},

{{ t_quantiles() }},

-- one row per collection
topic_counts as (

    select
        collection_key,
        cast(count(*) as integer) as n_judged_topics
    from judged_topics
    group by collection_key

),

-- one row per treatment, measure and estimator; where nothing is unjudged, the score is not adjusted
adjusted as (

    select
        * replace (
            cast({{ unless_settled('adjustment', 0) }} as double) as adjustment,
            case when standard_error is not null then {{ unless_settled_error('standard_error') }} end as standard_error
        )
    from new_run_estimates

),

-- one row per measure: the recommended estimator, where it estimates the run. An author that labelled too few of the
-- unjudged documents of the run has no estimate of it.
recommended_here as (

    select recommended_estimators.*
    from recommended_estimators
    semi join new_run_estimates using (collection_key, measure, estimator)

),

-- the same rows as adjusted with the adjusted score, and the adjusted score inside the bounds
estimates as (

    select
        *,
        unadjusted_score + adjustment as adjusted_score,
        {{ clipped('unadjusted_score + adjustment', 'lower_bound', 'upper_bound_if_pooled') }} as clipped_score
    from adjusted

),

{{ would_be_ranks() }},

named as (

    select
        collection as collection_id,
        estimates.measure,
        estimates.unjudged,
        estimates.estimator,
        estimates.n_topics,
        topic_counts.n_judged_topics,
        estimates.n_top_documents,
        estimates.n_unjudged,
        estimates.lower_bound,
        estimates.upper_bound,
        estimates.upper_bound_if_pooled,
        estimates.unadjusted_score,
        estimates.adjustment,
        estimates.adjusted_score,
        {{ is_outside_bounds(
            'estimates.adjusted_score', 'estimates.lower_bound', 'estimates.upper_bound_if_pooled'
        ) }} as is_outside_bounds,
        estimates.clipped_score,
        estimates.standard_error,
        {{ t_interval_columns('estimates.adjusted_score', 'estimates.standard_error') }},
        {{ expected_error(
            'estimates.standard_error', 'estimator_errors.clipped_mae',
            'estimates.upper_bound_if_pooled - estimates.lower_bound', 'recommended_estimators.mean_residual',
            'estimates.clipped_score', 'estimates.lower_bound', 'estimates.upper_bound_if_pooled'
        ) }} as expected_error,
        estimator_errors.clipped_mae as left_out_error,
        {{ advice_on(
            'false', 'estimates.upper_bound_if_pooled - estimates.lower_bound',
            'recommended_here.largest_residual', 'recommended_here.estimator'
        ) }} as advice,
        coalesce(
            advice = 'estimated'
            and estimates.unjudged = 'nonrelevant'
            and estimates.estimator = recommended_here.estimator,
            false
        ) as is_recommended,
        recommended_estimators.n_runs as n_measured_runs,
        recommended_estimators.n_organizations as n_measured_organizations,
        recommended_estimators.mean_residual,
        recommended_here.largest_residual,
        ranked.would_be_rank_among_pooled,
        ranked.n_ranked_pooled,
        ranked.would_be_rank,
        ranked.n_ranked,
        pool_measures.cutoff > pool_depths.pool_depth as beyond_pool_depth
    from estimates
    inner join pool_measures using (measure)
    inner join pool_depths using (collection_key)
    inner join topic_counts using (collection_key)
    inner join ranked using (measure, unjudged, estimator)
    left join t_quantiles on {{ has_t_quantiles('estimates.degrees_of_freedom') }}
    left join recommended_estimators using (collection_key, measure)
    left join recommended_here using (collection_key, measure)
    left join estimator_errors using (collection_key, measure, unjudged, estimator)

)

select * from named
