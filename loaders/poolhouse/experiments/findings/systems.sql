-- One row per population, treatment and width: errors of inference from systems, in RBP.
select
    errors.population,
    errors.unjudged,
    errors.width,
    avg(errors.mae) filter (where errors.estimator = 'unadjusted') as "unadjusted: MAE",
    avg(errors.mae_standard_error) filter (where errors.estimator = 'unadjusted') as "unadjusted: s.e.",
    avg(errors.mae) filter (where errors.estimator = 'webber_park_systems') as "adjusted: MAE",
    avg(errors.mae_standard_error) filter (where errors.estimator = 'webber_park_systems') as "adjusted: s.e.",
    avg(errors.mean_error) filter (where errors.estimator = 'webber_park_systems') as "mean error",
    avg(errors.standard_error) filter (where errors.estimator = 'webber_park_systems') as "mean error: s.e.",
    avg(errors.mae) filter (where errors.estimator = 'expected_relevance') as "expected relevance: MAE",
    avg(substitution.mean_difference) as "more without substitution"
from webber_park_table_1 as errors
inner join webber_park_substitute as substitution
    on
        errors.collection_id = substitution.collection_id
        and errors.population = substitution.population
        and errors.width = substitution.width
        and errors.unjudged = substitution.unjudged
        and errors.measure = substitution.measure
where
    errors.collection_id = $collection
    and errors.measure like 'RBP%'
group by
    errors.population,
    errors.unjudged,
    errors.width
order by
    errors.population desc,
    errors.unjudged desc,
    errors.width
