-- question: Which runs are near duplicates of each other?
-- about: runs
--
-- The overlap is documents that both have among their first hundred of a topic, over those that either has. Near
-- duplicates count as several in every statistic over runs, and contribute to a pool as one.
--
-- parameter: collection
with

shared_documents as (

    select * from run_overlaps($collection, depths := [100])
    where run_id < other_run_id

),

leaderboard as (

    select * from leaderboard
    where collection_id = $collection

),

-- one row per unordered pair of runs
pairs as (

    select
        shared_documents.run_id,
        shared_documents.other_run_id,
        leaderboard.organization = others.organization as is_same_organization,
        shared_documents.overlap,
        leaderboard.map,
        others.map as other_map
    from shared_documents
    inner join leaderboard on shared_documents.run_id = leaderboard.run_id
    inner join leaderboard as others on shared_documents.other_run_id = others.run_id

)

select * from pairs
order by
    overlap desc nulls last,
    run_id,
    other_run_id
limit 20

-- sample: --collection deep-pool
