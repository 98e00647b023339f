-- One row per organization with pooled runs: the relevant documents that it alone contributed.
select
    organization,
    n_unique_relevant,
    n_relevant,
    n_pooled_runs,
    share_of_relevant_of_collection
from fct_unique_contributions
where collection_id = $collection
order by
    n_unique_relevant desc,
    organization
