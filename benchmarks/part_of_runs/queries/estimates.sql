-- One row per run outside the pool and estimator: the estimate of P@10 inside its bounds, its interval, and the advice.
with

pools as (

    select
        collections.collection_id,
        count(distinct pooled_runs.organization_key) as n_organizations
    from intermediate.int_pooled_runs as pooled_runs
    inner join intermediate.int_collections as collections using (collection_key)
    group by all

)

select
    board.collection_id,
    pools.n_organizations,
    verdicts.figure as pool_explains,
    board.run_id,
    board.measure,
    board.score,
    board.if_pooled as advised,
    board.expected_error as off_by,
    adjustments.estimator,
    least(
        greatest(
            board.score + coalesce(adjustments.adjustment, 0) * board.n_topics / board.n_judged_topics, board.score
        ),
        board.upper_bound_if_pooled
    ) as estimate,
    board.score + adjustments.ci_95_low * board.n_topics / board.n_judged_topics as low,
    board.score + adjustments.ci_95_high * board.n_topics / board.n_judged_topics as high
from adjusted_leaderboard as board
inner join pools using (collection_id)
inner join audit_verdicts as verdicts using (collection_id)
inner join intermediate.int_collections as collections using (collection_id)
inner join intermediate.int_runs as runs
    on collections.collection_key = runs.collection_key and board.run_id = runs.run_id
inner join intermediate.int_adjustments as adjustments
    on
        runs.run_key = adjustments.run_key
        and board.measure = adjustments.measure
        and adjustments.pool_key = 0
        and adjustments.level = 'organization'
        and adjustments.unjudged = 'nonrelevant'
where
    not board.is_pooled
    and board.measure = 'P@10'
    and verdicts.rule_id = 'pool_explains'
order by all
