-- One row per strategy and budget: what the pool would have been, its leaderboards beside the full ones, and how far
-- the score of a run is off when its organization leaves the pool.
select
    strategies.strategy,
    strategies.budget,
    strategies.n_documents,
    strategies.n_unknown,
    strategies.n_relevant,
    strategies.share_of_relevant as "share",
    max(strategies.kendall_tau) filter (where strategies.measure = 'AP') as "tau AP",
    max(strategies.kendall_tau) filter (where strategies.measure = 'P@10') as "tau P@10",
    max(strategies.rbo) filter (where strategies.measure = 'AP') as "RBO AP",
    max(strategies.mean_residual) as "residual",
    any_value(errors.unadjusted) as "P left out: unadjusted",
    any_value(errors.least) as "least",
    any_value(errors.estimator) as "by",
    strategies.seconds
from experiments.fct_pool_strategies as strategies
inner join dim_pooling_strategies as named using (strategy)
left join (
    select
        strategy,
        budget,
        max(mae) filter (where estimator = 'unadjusted') as unadjusted,
        min(mae) as least,
        min_by(estimator, mae) as estimator
    from experiments.fct_pool_strategy_errors
    where
        collection_id = $collection
        and level = 'organization'
        and unjudged = 'nonrelevant'
        and measure like 'P@%'
    group by
        strategy,
        budget
) as errors
    using (strategy, budget)
where strategies.collection_id = $collection
group by
    strategies.strategy,
    named.position,
    strategies.budget,
    strategies.n_documents,
    strategies.n_unknown,
    strategies.n_relevant,
    strategies.share_of_relevant,
    strategies.seconds
order by
    named.position,
    strategies.budget
