with

{{ imports(
    'int_recommended_estimators', 'int_pool_parts', 'int_measures', builds='ops.builds',
    settings='experiments.settings', later="int_later_errors where experiment = 'later'",
    cutoffs='int_pool_measures where pool_key = 0'
) }},

-- one row per collection and measure down to the pool depth: the error of the recommended estimator on runs whose
-- organization was left out, and the one of scores as they are. Below the depth this is no error of the true score, and
-- neither where a part of the pool is loaded.
left_out as (

    select
        recommended_estimators.collection_key,
        recommended_estimators.measure,
        recommended_estimators.mae,
        recommended_estimators.unadjusted_mae
    from recommended_estimators
    inner join cutoffs using (measure)
    inner join pool_parts using (collection_key)
    where
        cutoffs.cutoff <= pool_parts.least_depth
        and pool_parts.is_told

),

-- the collections whose estimates are the same as when later judgements were held against them
current_experiments as (

    select settings.collection_key
    from settings
    inner join builds using (collection_key, fingerprint)
    where settings.experiment = 'later'

),

-- one row per collection and measure: the error on runs outside the pool of which later judgements leave nearly nothing
-- unknown
held_against_later as (

    select
        later.collection_key,
        later.measure,
        avg(abs(later.error)) filter (where later.estimator = 'if_judged') as mae,
        avg(abs(later.error)) filter (where later.estimator = 'unadjusted') as unadjusted_mae,
        count(later.error) filter (where later.estimator = 'if_judged') as n_runs
    from later
    semi join current_experiments using (collection_key)
    where
        not later.is_pooled
        and later.unjudged_weight > 0
        and {{ comparable('later.unknown_weight') }} <= {{ largest_unknown_weight() }}
    group by all
    having n_runs > 0

),

-- both
accuracies as (

    select
        left_out.collection_key,
        'when an organization is left out' as basis,
        1 as place,
        left_out.measure,
        left_out.mae,
        left_out.unadjusted_mae
    from left_out
    union all
    select
        collection_key,
        'by later judgements' as basis,
        2 as place,
        measure,
        mae,
        unadjusted_mae
    from held_against_later

),

-- one row per collection and basis, in words
in_words as (

    select
        accuracies.collection_key,
        accuracies.place,
        string_agg(
            printf('%s %.4f (%.4f)', accuracies.measure, accuracies.mae, accuracies.unadjusted_mae), ', '
            order by measures.position
        ) || ' ' || any_value(accuracies.basis) as accuracy
    from accuracies
    left join measures using (measure)
    group by all

),

-- one row per collection with such an error
collections_with_errors as (

    select
        collection_key,
        'estimates of runs outside the pool are off, on average, by ' || string_agg(accuracy, '; ' order by place)
        || ' (in brackets: scores as they are): runs that differ by much more can be told apart' as accuracy
    from in_words
    group by collection_key

)

select * from collections_with_errors
