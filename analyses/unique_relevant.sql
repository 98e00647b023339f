-- question: Who found relevant documents that nobody else did?
-- about: judgements
--
-- Relevant documents that only the runs of one organization contributed to the
-- pool. Many such documents mean that the organization searches differently.
-- Scores of a run like its own would then have been too low if the organization
-- had not taken part.
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
    organization asc

-- sample: --collection odd-one-out
--               n_pooled_              n_unique_     share_of_     share_of_
-- organization       runs  n_relevant   relevant  own_relevant  all_relevant
-- ──────────────────────────────────────────────────────────────────────────
-- owl                   2         303        147        0.4851        0.2371
-- finch                 2         160         29        0.1812        0.0468
-- wren                  2         210         24        0.1143        0.0387
-- crane                 2         217         23        0.1060        0.0371
-- egret                 2         232         19        0.0819        0.0306
-- 5 of 7 rows
