-- One row per pool (are the runs in it), measure, estimator and share of the weight that was unjudged before: how far
-- estimates are from what all judgements leave possible. In `later`, runs count that have unjudged documents, and of which
-- at most $unknown of the weight is judged neither before nor later. In `left-out`, all pooled runs count.
with

counted as (

    select
        *,
        case
            when experiment = 'left-out' then 'left out'
            when is_pooled then 'pooled'
            when not is_pooled then 'outside'
            else 'not known'
        end as pool,
        case
            when round(unjudged_weight, 9) <= .1 then '0 to .1'
            when round(unjudged_weight, 9) <= .25 then '.1 to .25'
            when round(unjudged_weight, 9) <= .5 then '.25 to .5'
            else '.5 to 1'
        end as band
    from experiments.fct_later_estimates
    where
        collection_id = $collection
        and experiment = $experiment
        and (unjudged_weight > 0 or experiment = 'left-out')
        and round(unknown_weight, 9) <= $unknown
        -- a pooled run has its score if it is pooled
        and (not is_pooled or estimator <> 'if_pooled' or experiment = 'left-out')

),

-- errors when an organization of the pool is left out; those of estimates that are cut to what is possible
left_out as (

    select
        errors.measure,
        errors.estimator as of_pool,
        errors.unjudged,
        errors.mae,
        errors.clipped_mae,
        recommended.estimator as recommended
    from fct_estimator_errors as errors
    left join dim_recommended_estimators as recommended using (collection_id, measure)
    where
        errors.collection_id = $collection
        and errors.level = 'organization'
        and errors.subset = 'all'

),

-- one row per measure and estimator that is measured so
left_out_errors as (

    select
        measure,
        'unadjusted' as estimator,
        mae
    from left_out
    where
        unjudged = 'nonrelevant'
        and of_pool = 'unadjusted'
    union all
    select
        measure,
        'condensed' as estimator,
        mae
    from left_out
    where
        unjudged = 'condensed'
        and of_pool = 'unadjusted'
    union all
    select
        measure,
        'webber_park' as estimator,
        clipped_mae as mae
    from left_out
    where
        unjudged = 'nonrelevant'
        and of_pool = 'webber_park_systems'
    union all
    select
        measure,
        'if_pooled' as estimator,
        clipped_mae as mae
    from left_out
    where
        unjudged = 'nonrelevant'
        and of_pool = recommended

),

summed as (

    select
        pool,
        measure,
        estimator,
        coalesce(band, 'all') as unjudged,
        grouping(band) as is_all,
        avg(unjudged_weight) as mean_unjudged,
        count(estimate) as n_estimates,
        count(*) - count(estimate) as n_without,
        avg(abs(error)) as mae,
        -- errors of either sign may leave the noise of floats
        round(avg(error), 9) as bias,
        count(holds_truth) as n_intervals,
        count(*) filter (where holds_truth) as n_holding
    from counted
    group by grouping sets (
        (pool, measure, estimator),
        (pool, measure, estimator, band)
    )
    having count(estimate) > 0

)

select
    summed.pool,
    summed.measure,
    summed.estimator,
    summed.unjudged,
    summed.mean_unjudged as "mean unjudged",
    summed.n_estimates as "runs",
    summed.n_without as "without estimate",
    summed.mae as "MAE",
    summed.bias as "bias",
    summed.n_intervals as "intervals of 95 %",
    case when summed.n_intervals > 0 then summed.n_holding end as "hold",
    left_out_errors.mae as "left out: MAE"
from summed
left join left_out_errors
    on
        summed.measure = left_out_errors.measure
        and summed.estimator = left_out_errors.estimator
        and summed.pool = 'outside'
        and summed.is_all = 1
left join dim_measures as measures on summed.measure = measures.measure
order by
    list_position(['outside', 'pooled', 'not known'], summed.pool),
    summed.is_all desc,
    measures.position,
    summed.measure,
    coalesce(list_position($estimators, summed.estimator), 99),
    summed.estimator,
    list_position(['0 to .1', '.1 to .25', '.25 to .5', '.5 to 1'], summed.unjudged)
