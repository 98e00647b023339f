with

{{ imports(
    'int_collections', 'int_runs', 'int_pooled_states', 'int_topic_counts', 'int_measures',
    'int_recommended_estimators', 'int_run_residuals', "int_run_scores where unjudged = 'nonrelevant'",
    judged="int_expected_intervals where target = 'if_judged'"
) }},

adjustments as (

    select * from {{ ref('int_adjustments') }}
    where
        pool_key = 0
        and level = 'organization'
        and unjudged = 'nonrelevant'

),

-- one row per run and measure: the score and its bounds, over all judged topics, and what is recommended for it
bounded as (

    select
        run_scores.collection_key,
        run_scores.run_key,
        run_scores.measure,
        run_scores.n_topics,
        cast(topic_counts.n_judged_topics as integer) as n_judged_topics,
        -- what is a mean over the topics that the run answers becomes a mean over all judged topics
        run_scores.n_topics / topic_counts.n_judged_topics as answered_share,
        run_scores.score_all_topics as score,
        {% for suffix in ['', '_if_pooled'] %}
            run_scores.score_all_topics + run_residuals.residual{{ suffix }} * answered_share
                as upper_bound{{ suffix }},
        {% endfor %}
        run_residuals.residual,
        run_residuals.residual_if_pooled,
        pooled_states.is_pooled,
        recommended_estimators.estimator,
        recommended_estimators.mae,
        recommended_estimators.mean_residual,
        recommended_estimators.largest_residual,
        recommended_estimators.largest_residual_if_judged
    from run_scores
    inner join run_residuals using (run_key, measure)
    inner join topic_counts on run_scores.collection_key = topic_counts.collection_key
    inner join pooled_states using (run_key)
    left join recommended_estimators
        on
            run_scores.collection_key = recommended_estimators.collection_key
            and run_scores.measure = recommended_estimators.measure

),

-- the same rows with the estimate of the run if it is pooled, and its interval
estimated as (

    select
        bounded.* replace (
            -- an author that labelled too few of the run's unjudged documents has no estimate of it
            case
                when not {{ is_by_labels('bounded.estimator') }} or adjustments.estimator is not null
                    then bounded.estimator
            end as estimator
        ),
        bounded.score + coalesce(adjustments.adjustment, 0) * bounded.answered_share as estimate_if_pooled
        {%- for name in interval_ends() %},
            bounded.score + adjustments.{{ name }} * bounded.answered_share as {{ name }}_if_pooled
        {%- endfor %}
    from bounded
    left join adjustments
        on
            bounded.run_key = adjustments.run_key
            and bounded.measure = adjustments.measure
            and bounded.estimator = adjustments.estimator
            and not bounded.is_pooled

),

-- the same rows with the advice on both scores
advised as (

    select
        *,
        {{ is_judged_by_pooling('is_pooled', 'residual', 'residual_if_pooled') }} as is_same,
        {{ advice_if_pooled('is_pooled', 'residual_if_pooled', 'largest_residual', 'estimator') }} as advice_if_pooled,
        {{ advice_if_judged('residual', 'largest_residual_if_judged', 'is_same', 'advice_if_pooled') }} as advice
    from estimated

),

-- the same rows with the estimate of the run if all its documents are judged, and its interval
estimated_in_both as (

    select
        advised.* replace (case when advised.is_same then advised.estimator else 'expected_relevance' end as estimator),
        {% for name in interval_ends() %}
            case
                when advised.is_same then advised.{{ name }}_if_pooled
                else advised.score + judged.{{ name }} * advised.answered_share
            end as {{ name }}_if_judged,
        {% endfor %}
        case
            when advised.is_same then advised.estimate_if_pooled
            else advised.score + judged.expected_gain * advised.answered_share
        end as estimate_if_judged
    from advised
    left join judged using (run_key, measure)

),

-- the same rows with the scores that are told: inside their bounds, and null where they cannot be told
told as (

    select
        *,
        {% for target, advice, upper_bound in [
            ('if_pooled', 'advice_if_pooled', 'upper_bound_if_pooled'), ('if_judged', 'advice', 'upper_bound')
        ] %}
            case
                when {{ advice }} in ('pooled', 'nothing unjudged') then score
                when {{ advice }} = 'estimated' then {{ clipped('estimate_' ~ target, 'score', upper_bound) }}
            end as {{ target }},
            {% for end in ['low', 'high'] %}
                case
                    when {{ advice }} = 'estimated' and ci_95_{{ end }}_{{ target }} is not null
                        then {{ clipped('ci_95_' ~ end ~ '_' ~ target, 'score', upper_bound) }}
                end as {{ target }}_95_{{ end }},
            {% endfor %}
        {% endfor %}
        {{ expected_error(
            'ci_68_low_if_judged', 'ci_68_high_if_judged', 'mae * answered_share', 'residual_if_pooled',
            'mean_residual', 'if_judged', 'score', 'upper_bound'
        ) }} as expected_error
    from estimated_in_both

),

named as (

    select
        collections.collection_id,
        told.measure,
        measures.trec_eval_name,
        runs.run_id,
        runs.organization,
        runs.run_type,
        told.is_pooled,
        told.n_topics,
        told.n_judged_topics,
        told.score,
        {{ leaderboard_place('told.score') }} as rank,
        told.score as lower_bound,
        told.upper_bound,
        case when told.is_pooled then told.score else told.upper_bound_if_pooled end as upper_bound_if_pooled,
        told.advice,
        case when told.advice = 'estimated' then told.estimator end as estimator,
        case when told.advice = 'estimated' then told.expected_error end as expected_error,
        told.if_judged,
        told.if_judged_95_low,
        told.if_judged_95_high,
        {{ leaderboard_place('told.if_judged') }} as if_judged_rank,
        told.if_pooled,
        told.if_pooled_95_low,
        told.if_pooled_95_high
    from told
    inner join collections using (collection_key)
    inner join runs using (run_key)
    inner join measures using (measure)

)

select * from named
