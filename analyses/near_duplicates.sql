-- question: Which runs are near duplicates of each other?
-- about: runs
--
-- The overlap is the number of documents that both runs have among their first
-- hundred of a topic, over the number that either has. Near duplicates count
-- several times in every statistic over runs, and contribute to a pool like one
-- run.
--
-- parameter: collection
with

shared_documents as (

    select * from planning.run_overlaps($collection, depths := [100])
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
        leaderboard.organization
        = other_leaderboard.organization as is_same_organization,
        shared_documents.overlap,
        leaderboard.ap,
        other_leaderboard.ap as other_ap
    from shared_documents
    inner join leaderboard on shared_documents.run_id = leaderboard.run_id
    inner join leaderboard as other_leaderboard
        on shared_documents.other_run_id = other_leaderboard.run_id

)

select * from pairs
order by
    overlap desc nulls last,
    run_id asc,
    other_run_id asc
limit 20

-- sample: --collection deep-pool
--                           is_same_
-- run_id  other_run_id  organization  overlap      ap  other_ap
-- ─────────────────────────────────────────────────────────────
-- hazel1  hazel2                True   0.6681  0.1738    0.1697
-- elm2    elm3                  True   0.6538  0.2245    0.2173
-- elm1    elm3                  True   0.6429  0.2011    0.2173
-- elm1    elm2                  True   0.6420  0.2011    0.2245
-- cedar2  cedar3                True   0.6398  0.2794    0.2748
-- 5 of 20 rows
