{{ config(arguments=['collection', 'run_table', 'except_run := null', 'organization := null']) }}

with

{{ imports(
    'int_judged_topics', 'int_pool_depths', 'int_recommended_estimators', 'int_pool_measures where pool_key = 0'
) }},

new_run_estimates as (

    select * from {{ ref('int_new_run_estimates') }}(collection, run_table, except_run, organization)

),

estimator_errors as (

    select * from {{ ref('int_estimator_errors') }}
    where
        level = 'organization'
        and pool_key = 0

),

{{ scores_of_other_runs() }},

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
            cast({{ unless_settled('adjustment', 0) }} as double) as adjustment
            {%- for name in interval_ends() %},
                case when {{ name }} is not null then {{ unless_settled(name, 0) }} end as {{ name }}
            {%- endfor %}
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
        {{ clipped('unadjusted_score + adjustment', 'lower_bound', 'upper_bound_if_pooled') }} as clipped_score,
        upper_bound - lower_bound as residual,
        upper_bound_if_pooled - lower_bound as residual_if_pooled
    from adjusted

),

-- one row per measure: the advice on the score if the run is pooled, and if all its documents are judged
advised as (

    select
        estimates.measure,
        estimates.lower_bound,
        estimates.upper_bound,
        estimates.unadjusted_score,
        estimates.residual_if_pooled,
        estimates.gain_if_judged,
        {% for name in interval_ends() %}
            estimates.{{ name }}_if_judged,
        {% endfor %}
        recommended_here.estimator,
        recommended_estimators.mean_residual,
        {{ is_judged_by_pooling('false', 'estimates.residual', 'estimates.residual_if_pooled') }} as is_same,
        {{ advice_if_pooled(
            'false', 'estimates.residual_if_pooled', 'recommended_here.largest_residual', 'recommended_here.estimator'
        ) }} as advice_if_pooled,
        {{ advice_if_judged(
            'estimates.residual', 'recommended_estimators.largest_residual_if_judged', 'is_same', 'advice_if_pooled'
        ) }} as advice
    from estimates
    left join recommended_estimators using (collection_key, measure)
    left join recommended_here using (collection_key, measure)
    where
        estimates.unjudged = 'nonrelevant'
        and estimates.estimator = 'unadjusted'

),

-- the same rows with the estimate of the score if all documents are judged, and its interval
told as (

    select
        advised.measure,
        advised.advice,
        advised.advice_if_pooled,
        advised.lower_bound,
        advised.upper_bound,
        advised.residual_if_pooled,
        advised.mean_residual,
        case when advised.is_same then advised.estimator else 'expected_relevance' end as estimator,
        estimator_errors.clipped_mae as left_out_error,
        {% for name in interval_ends() %}
            case
                when advised.advice = 'estimated'
                    then
                        advised.unadjusted_score
                        + case when advised.is_same then recommended.{{ name }} else advised.{{ name }}_if_judged end
            end as {{ name }},
        {% endfor %}
        case
            when advised.advice = 'cannot be told' then null
            when advised.is_same then coalesce(recommended.clipped_score, advised.unadjusted_score)
            else {{ clipped(
                'advised.unadjusted_score + advised.gain_if_judged', 'advised.lower_bound', 'advised.upper_bound'
            ) }}
        end as if_judged
    from advised
    left join estimates as recommended
        on
            advised.measure = recommended.measure
            and advised.estimator = recommended.estimator
            and recommended.unjudged = 'nonrelevant'
    left join estimator_errors
        on
            recommended.collection_key = estimator_errors.collection_key
            and recommended.measure = estimator_errors.measure
            and recommended.estimator = estimator_errors.estimator
            and estimator_errors.unjudged = 'nonrelevant'

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
        {{ if_unjudged_is_told('estimates.n_unjudged', 'pool_depths.judging') }} as n_unjudged,
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
        {% for name in interval_ends() %}
            estimates.unadjusted_score + estimates.{{ name }} as {{ name }},
        {% endfor %}
        {{ expected_error(
            'estimates.ci_68_low', 'estimates.ci_68_high', 'estimator_errors.clipped_mae', 'estimates.residual_if_pooled',
            'recommended_estimators.mean_residual', 'estimates.clipped_score', 'estimates.lower_bound',
            'estimates.upper_bound_if_pooled'
        ) }} as expected_error,
        estimator_errors.clipped_mae as left_out_error,
        told.advice,
        case when told.advice = 'estimated' then told.estimator end as if_judged_estimator,
        told.if_judged,
        {% for end in ['low', 'high'] %}
            case
                when told.ci_95_{{ end }} is not null
                    then {{ clipped('told.ci_95_' ~ end, 'told.lower_bound', 'told.upper_bound') }}
            end as if_judged_95_{{ end }},
        {% endfor %}
        case
            when told.advice = 'estimated'
                then {{ expected_error(
                    'told.ci_68_low', 'told.ci_68_high', 'told.left_out_error',
                    'told.residual_if_pooled', 'told.mean_residual', 'told.if_judged',
                    'told.lower_bound', 'told.upper_bound'
                ) }}
        end as if_judged_expected_error,
        told.advice_if_pooled,
        coalesce(
            advice_if_pooled = 'estimated'
            and estimates.unjudged = 'nonrelevant'
            and estimates.estimator = recommended_here.estimator,
            false
        ) as is_recommended,
        recommended_estimators.n_runs as n_measured_runs,
        recommended_estimators.n_organizations as n_measured_organizations,
        recommended_estimators.mean_residual,
        recommended_here.largest_residual,
        recommended_estimators.largest_residual_if_judged,
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
    inner join told using (measure)
    left join recommended_estimators using (collection_key, measure)
    left join recommended_here using (collection_key, measure)
    left join estimator_errors using (collection_key, measure, unjudged, estimator)

)

select * from named
