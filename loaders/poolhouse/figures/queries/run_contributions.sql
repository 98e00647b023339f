-- One row per run: what it brings to a pool of the declared depth, or else of depth 100.
select
    run_id,
    organization,
    depth,
    n_topics,
    n_documents,
    n_of_one_organization,
    n_of_one_run
from planning.run_contributions(
    $collection,
    depths := [(
        select coalesce(pool_depth, 100) from dim_collections
        where collection_id = $collection
    )]
)
order by
    n_of_one_run desc,
    run_id
