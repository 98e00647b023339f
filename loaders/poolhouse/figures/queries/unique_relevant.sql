-- One row per organization with pooled runs: the relevant documents that it alone contributed.
select
    collection_id,
    organization,
    n_unique_relevant,
    n_relevant,
    n_pooled_runs,
    share_of_relevant_of_collection
from fct_unique_contributions
where list_contains($collections, collection_id)
order by
    n_unique_relevant desc,
    organization
