-- question: Which wins may come from unequal judging?
-- about: judgements
--
-- For each run, the number of other runs that it is significantly better than,
-- by Tukey's test of all pairs (p < 0.05). `n_doubtful_wins` counts the wins
-- over runs with significantly fewer judged documents (case 4 of
-- docs/decision_matrix.md). Such a win may come from unequal judging, and
-- cannot be trusted without a closer look.
--
-- parameter: collection
-- parameter: measure = 'P@10'
with

decisions as (

    select * from papers.decision_matrix($collection, $measure)

),

leaderboard as (

    select * from leaderboard
    where collection_id = $collection

),

-- one row per pair of runs that differ significantly
wins as (

    select
        case when difference > 0 then run_id else other_run_id end as run_id,
        decision_case_tukey = 4 as is_doubtful
    from decisions
    where performance_differs_tukey

),

-- one row per run
counted as (

    select
        leaderboard.run_id,
        leaderboard.is_pooled,
        leaderboard.rank,
        count(wins.run_id) as n_wins,
        count(*) filter (where wins.is_doubtful) as n_doubtful_wins
    from leaderboard
    left join wins on leaderboard.run_id = wins.run_id
    group by
        leaderboard.run_id,
        leaderboard.is_pooled,
        leaderboard.rank

)

select * from counted
order by
    n_doubtful_wins desc,
    n_wins desc,
    run_id asc

-- sample: --collection shallow-pool
-- ┏━━━━━━━━━┳━━━━━━━━━━━┳━━━━━━┳━━━━━━━━┳━━━━━━━━━━━━━━━━━┓
-- ┃ run_id  ┃ is_pooled ┃ rank ┃ n_wins ┃ n_doubtful_wins ┃
-- ┡━━━━━━━━━╇━━━━━━━━━━━╇━━━━━━╇━━━━━━━━╇━━━━━━━━━━━━━━━━━┩
-- │ beryl1  │      True │    2 │      2 │               1 │
-- │ beryl2  │      True │    1 │      2 │               1 │
-- │ garnet1 │      True │    3 │      2 │               1 │
-- │ agate1  │      True │    4 │      1 │               1 │
-- │ agate2  │      True │    6 │      1 │               1 │
-- └─────────┴───────────┴──────┴────────┴─────────────────┘
-- 5 of 11 rows
