-- One row per depth: how many documents a pool of this depth has.
select
    depth,
    n_runs,
    n_documents,
    documents_per_topic,
    least_documents,
    most_documents,
    n_of_one_organization,
    n_of_one_run
from planning.pool_sizes($collection)
order by depth
