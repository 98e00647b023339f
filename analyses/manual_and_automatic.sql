-- question: Are manual runs better than automatic ones?
-- about: runs
--
-- Manual runs often find documents that no automatic run finds, and they are
-- pooled for this reason. Leaderboards that mix both kinds are hard to read.
-- Runs without a described type are shown as a type of their own.
--
-- parameter: collection
with

leaderboard as (

    select * from leaderboard
    where collection_id = $collection

),

-- one row per type of run
types as (

    select
        coalesce(run_type, 'not told') as run_type,
        count(*) as n_runs,
        count(*) filter (where is_pooled) as n_pooled,
        min_by(run_id, (rank, run_id)) as best_run,
        min(rank) as best_rank,
        max(ap) as best_ap,
        median(ap) as median_ap,
        avg(unjudged_10) as unjudged_10
    from leaderboard
    group by run_type

)

select * from types
order by best_rank

-- sample: --collection odd-one-out
--                                        best_           median_  unjudged_
-- run_type   n_runs  n_pooled  best_run   rank  best_ap       ap         10
-- ─────────────────────────────────────────────────────────────────────────
-- manual          3         2  owl3          1   0.3475   0.3474     0.0167
-- automatic      14        12  robin2        4   0.2868   0.2335     0.0124
