-- One row per pooled run.
select
    runs.run_key,
    runs.run_id,
    runs.organization_key,
    runs.organization,
    pooled_runs.pool_depth
from intermediate.int_pooled_runs as pooled_runs
inner join intermediate.int_collections as collections using (collection_key)
inner join intermediate.int_runs as runs using (collection_key, run_key)
where collections.collection_id = $collection
order by runs.run_id
