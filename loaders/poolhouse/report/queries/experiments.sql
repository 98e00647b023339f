-- One row per experiment that was run on the collection.
select
    experiment,
    n_samples,
    finished_at,
    is_current
from experiments.dim_experiments
where collection_id = $collection
order by experiment
