-- One row per measure and estimator: its mean absolute error when an organization is left out of the pool.
select
    errors.measure,
    errors.estimator,
    errors.mae,
    errors.sre,
    errors.kendall_tau,
    errors.n_runs
from fct_estimator_errors as errors
inner join dim_estimators as estimators on errors.estimator = estimators.estimator
inner join dim_measures as measures on errors.measure = measures.measure
where
    errors.collection_id = $collection
    and errors.level = 'organization'
    and errors.subset = 'all'
    and errors.unjudged = 'nonrelevant'
order by
    measures.position,
    estimators.position
