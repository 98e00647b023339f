-- question: Who is best when only the best run of each counts?
-- about: runs
--
-- An organization with many runs has many chances. `rank` is the place of its best run among all runs, by MAP.
--
-- parameter: collection
with

leaderboard as (

    select * from leaderboard
    where collection_id = $collection

),

-- one row per organization
best_runs as (

    select
        organization,
        count(*) as n_runs,
        min_by(run_id, (rank, run_id)) as best_run,
        min(rank) as rank,
        max(map) as map
    from leaderboard
    group by organization

),

ranked as (

    select
        rank() over (order by rank) as place,
        *
    from best_runs

)

select * from ranked
order by
    place,
    organization

-- sample: --collection odd-one-out
