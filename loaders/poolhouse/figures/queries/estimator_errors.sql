-- One row per measure and estimator: its mean absolute error when an organization is left out of the pool, of estimates
-- that are clipped to the bounds of the run, with twice its standard error over organizations to either side, and of
-- estimates as published. Filling by the labels of authors has a figure of its own (filling_errors).
select
    errors.collection_id,
    errors.measure,
    errors.estimator,
    errors.clipped_mae as mae,
    errors.clipped_mae_standard_error as mae_standard_error,
    greatest(errors.clipped_mae - 2 * errors.clipped_mae_standard_error, 0) as low,
    errors.clipped_mae + 2 * errors.clipped_mae_standard_error as high,
    errors.mae as published_mae,
    errors.clipped_sre as sre,
    errors.clipped_kendall_tau as kendall_tau,
    errors.n_runs
from fct_estimator_errors as errors
inner join dim_estimators as estimators on errors.estimator = estimators.estimator
inner join dim_measures as measures on errors.measure = measures.measure
where
    list_contains($collections, errors.collection_id)
    and errors.level = 'organization'
    and errors.subset = 'all'
    and errors.unjudged = 'nonrelevant'
    and not starts_with(estimators.needs, 'labels')
order by
    measures.position,
    estimators.position
