-- question: Which organization is best by its best run alone?
-- about: runs
--
-- An organization with many runs has many chances. `rank` is the place of its
-- best run among all runs, by the main measure of the collection.
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
        max(ap) as ap
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
-- ┏━━━━━━━┳━━━━━━━━━━━━━━┳━━━━━━━━┳━━━━━━━━━━┳━━━━━━┳━━━━━━━━┓
-- ┃ place ┃ organization ┃ n_runs ┃ best_run ┃ rank ┃     ap ┃
-- ┡━━━━━━━╇━━━━━━━━━━━━━━╇━━━━━━━━╇━━━━━━━━━━╇━━━━━━╇━━━━━━━━┩
-- │     1 │ owl          │      3 │ owl3     │    1 │ 0.3475 │
-- │     2 │ robin        │      2 │ robin2   │    4 │ 0.2868 │
-- │     3 │ egret        │      2 │ egret2   │    6 │ 0.2690 │
-- │     4 │ crane        │      3 │ crane3   │    8 │ 0.2547 │
-- │     5 │ plover       │      1 │ plover1  │    9 │ 0.2511 │
-- └───────┴──────────────┴────────┴──────────┴──────┴────────┘
-- 5 of 8 rows
