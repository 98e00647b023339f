-- One row per experiment that was run on a collection.
select
    collection_id,
    experiment,
    n_samples,
    finished_at,
    is_current
from experiments.dim_experiments
where list_contains($collections, collection_id)
order by experiment
