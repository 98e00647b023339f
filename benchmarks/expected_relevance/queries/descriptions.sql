-- The runs of a collection as their organizations describe them, with the pooled runs declared.
select
    run_id as run,
    organization,
    run_type as type,
    coalesce(is_pooled, false) as pooled
from dim_runs
where collection_id = $collection
order by run_id
