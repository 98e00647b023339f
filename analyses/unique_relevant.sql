-- question: Who found relevant documents that nobody else did?
-- about: judgements
--
-- Relevant documents that only the runs of one organization contributed to the pool. Many of them say that an organization
-- searches differently, and that a run like its own would be wronged, had it not taken part.
--
-- parameter: collection
with

contributions as (

    select * from fct_unique_contributions
    where collection_id = $collection

),

shares as (

    select
        organization,
        n_pooled_runs,
        n_relevant,
        n_unique_relevant,
        share_of_own_relevant,
        share_of_relevant_of_collection as share_of_all_relevant
    from contributions

)

select * from shares
order by
    n_unique_relevant desc,
    organization

-- sample: --collection odd-one-out
