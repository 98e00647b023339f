with

{{ imports(
    'int_collections', 'int_runs', 'int_pooled_states', 'int_topic_counts', 'int_measures',
    'int_recommended_estimators', 'int_run_residuals', "int_run_scores where unjudged = 'nonrelevant'"
) }},

adjustments as (

    select * from {{ ref('int_adjustments') }}
    where
        pool_key = 0
        and level = 'organization'
        and unjudged = 'nonrelevant'

),

{{ t_quantiles() }},

-- one row per run and measure: the score and its bounds, over all judged topics, and what is recommended for it
bounded as (

    select
        run_scores.collection_key,
        run_scores.run_key,
        run_scores.measure,
        run_scores.n_topics,
        cast(topic_counts.n_judged_topics as integer) as n_judged_topics,
        run_scores.score_all_topics as score,
        {% for suffix in ['', '_if_pooled'] %}
            run_scores.score_all_topics
            + run_residuals.residual{{ suffix }} * run_scores.n_topics / topic_counts.n_judged_topics
                as upper_bound{{ suffix }},
        {% endfor %}
        run_residuals.residual_if_pooled,
        pooled_states.is_pooled,
        recommended_estimators.estimator,
        recommended_estimators.mae,
        recommended_estimators.mean_residual,
        recommended_estimators.largest_residual
    from run_scores
    inner join run_residuals using (run_key, measure)
    inner join topic_counts on run_scores.collection_key = topic_counts.collection_key
    inner join pooled_states using (run_key)
    left join recommended_estimators
        on
            run_scores.collection_key = recommended_estimators.collection_key
            and run_scores.measure = recommended_estimators.measure

),

-- the same rows with the estimate; the adjustment is a mean over the topics that the run answers, and is converted
-- to all judged topics
estimated as (

    select
        bounded.* replace (
            -- an author that labelled too few of the run's unjudged documents has no estimate of it
            case
                when not {{ is_by_labels('bounded.estimator') }} or adjustments.estimator is not null
                    then bounded.estimator
            end as estimator
        ),
        bounded.score + coalesce(adjustments.adjustment, 0) * bounded.n_topics / bounded.n_judged_topics
            as estimate,
        adjustments.standard_error * bounded.n_topics / bounded.n_judged_topics as standard_error,
        adjustments.degrees_of_freedom
    from bounded
    left join adjustments
        on
            bounded.run_key = adjustments.run_key
            and bounded.measure = adjustments.measure
            and bounded.estimator = adjustments.estimator
            and not bounded.is_pooled

),

-- the same rows with the advice
advised as (

    select
        *,
        {{ advice_on('is_pooled', 'residual_if_pooled', 'largest_residual', 'estimator') }} as advice
    from estimated

),

-- the same rows with the advised score, which is null where the score cannot be told, and its interval
adjusted as (

    select
        *,
        {% for end, sign in [('low', '-'), ('high', '+')] %}
            case
                when advice = 'estimated' and standard_error is not null
                    then {{ clipped(
                        'estimate ' ~ sign ~ ' t_quantiles.t_95 * standard_error', 'score', 'upper_bound_if_pooled'
                    ) }}
            end as t_95_{{ end }},
        {% endfor %}
        case
            when advice in ('pooled', 'nothing unjudged') then score
            when advice = 'estimated' then {{ clipped('estimate', 'score', 'upper_bound_if_pooled') }}
        end as adjusted_score
    from advised
    left join t_quantiles on {{ has_t_quantiles('advised.degrees_of_freedom') }}

),

named as (

    select
        collections.collection_id,
        adjusted.measure,
        measures.trec_eval_name,
        runs.run_id,
        runs.organization,
        runs.run_type,
        adjusted.is_pooled,
        adjusted.n_topics,
        adjusted.n_judged_topics,
        adjusted.score,
        {{ leaderboard_place('adjusted.score') }} as rank,
        adjusted.score as lower_bound,
        adjusted.upper_bound,
        case when adjusted.is_pooled then adjusted.score else adjusted.upper_bound_if_pooled end
            as upper_bound_if_pooled,
        adjusted.advice,
        case when adjusted.advice = 'estimated' then adjusted.estimator end as estimator,
        case
            when adjusted.advice = 'estimated'
                then {{ expected_error(
                    'adjusted.standard_error', 'adjusted.mae * adjusted.n_topics / adjusted.n_judged_topics',
                    'adjusted.residual_if_pooled', 'adjusted.mean_residual',
                    'adjusted.adjusted_score', 'adjusted.score', 'adjusted.upper_bound_if_pooled'
                ) }}
        end as expected_error,
        adjusted.adjusted_score - adjusted.score as adjustment,
        adjusted.adjusted_score,
        adjusted.t_95_low,
        adjusted.t_95_high,
        adjusted.advice = 'estimated'
        and {{ is_outside_bounds('adjusted.estimate', 'adjusted.score', 'adjusted.upper_bound_if_pooled') }}
            as is_clipped,
        {{ leaderboard_place('adjusted.adjusted_score') }} as adjusted_rank
    from adjusted
    inner join collections using (collection_key)
    inner join runs using (run_key)
    inner join measures using (measure)

)

select * from named
