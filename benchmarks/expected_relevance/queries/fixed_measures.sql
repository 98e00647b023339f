-- One row per collection, pooled run, measure and estimator: the estimate when the organization of the run has left the
-- pool. The bounds are estimators too: the lower bound is the unadjusted score.
with

scores as (

    select * from fct_adjusted_scores
    where
        level = 'organization'
        and subset = 'all'
        and measure in ('P@5', 'P@10', 'P@20', 'P@100', 'RBP(p=0.8)@10')

),

-- the unjudged weight down to the pool depth, to which the domain of the advice refers
gains as (

    select
        collections.collection_id,
        runs.run_id,
        expected_gains.measure,
        expected_gains.unjudged_weight
    from intermediate.int_expected_gains as expected_gains
    inner join intermediate.int_collections as collections
        on expected_gains.collection_key = collections.collection_key
    inner join intermediate.int_runs as runs on expected_gains.run_key = runs.run_key
    where
        expected_gains.pool_key = 0
        and expected_gains.target = 'if_pooled'

)

select
    scores.collection_id,
    runs.organization,
    scores.run_id,
    scores.measure,
    case
        when scores.unjudged = 'nonrelevant' then scores.estimator
        when scores.estimator = 'unadjusted' then 'condensed'
    end as estimator,
    scores.adjusted_score as estimate,
    scores.true_score,
    gains.unjudged_weight,
    (scores.ci_68_high - scores.ci_68_low) / 2 as half_width_68,
    (scores.ci_95_high - scores.ci_95_low) / 2 as half_width_95
from scores
inner join dim_runs as runs on scores.collection_id = runs.collection_id and scores.run_id = runs.run_id
left join gains
    on
        scores.collection_id = gains.collection_id
        and scores.run_id = gains.run_id
        and scores.measure = gains.measure
where
    scores.unjudged = 'nonrelevant'
    or scores.estimator = 'unadjusted'
union all
select
    scores.collection_id,
    runs.organization,
    scores.run_id,
    scores.measure,
    'upper bound' as estimator,
    scores.upper_bound,
    scores.true_score,
    gains.unjudged_weight,
    null,
    null
from scores
inner join dim_runs as runs on scores.collection_id = runs.collection_id and scores.run_id = runs.run_id
left join gains
    on
        scores.collection_id = gains.collection_id
        and scores.run_id = gains.run_id
        and scores.measure = gains.measure
where
    scores.unjudged = 'nonrelevant'
    and scores.estimator = 'unadjusted'
order by all
