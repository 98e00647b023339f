-- question: Who is best, and is the second significantly worse?
-- about: runs
--
-- AP@1000 is equal to trec_eval's map for runs that are no deeper than 1000. A
-- run is significantly worse where Tukey's test of all pairs of runs finds a
-- difference (p < 0.05). Tukey's test allows for the number of pairs; a test of
-- a single pair would not. Topics that a run does not answer count as 0.
--
-- parameter: collection
-- parameter: measure = 'AP@1000'
with

-- scores are rounded, because the float noise of sums would decide places
run_scores as (

    select
        run_id,
        round(score_all_topics, 9) as score
    from run_scores($collection, $measure)

),

decisions as (

    select * from papers.decision_matrix($collection, $measure)

),

-- one row per run
ranked as (

    select
        *,
        row_number() over (order by score desc, run_id asc) as place
    from run_scores

),

-- one row per ordered pair of runs, because decisions has each pair once
differences as (

    select
        run_id,
        other_run_id,
        performance_differs_tukey as is_significant
    from decisions
    union all
    select
        other_run_id as run_id,
        run_id as other_run_id,
        performance_differs_tukey as is_significant
    from decisions

),

-- one row per run, compared with the best run
compared as (

    select
        ranked.place,
        ranked.run_id,
        ranked.score,
        best.score - ranked.score as behind_the_best,
        differences.is_significant as is_significantly_worse
    from ranked
    inner join ranked as best on best.place = 1
    left join differences
        on
            ranked.run_id = differences.run_id
            and best.run_id = differences.other_run_id

)

select * from compared
order by place

-- sample: --collection deep-pool
-- ┏━━━━━━━┳━━━━━━━━┳━━━━━━━━┳━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━┓
-- ┃ place ┃ run_id ┃  score ┃ behind_the_best ┃ is_significantly_worse ┃
-- ┡━━━━━━━╇━━━━━━━━╇━━━━━━━━╇━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━┩
-- │     1 │ rowan2 │ 0.3867 │          0.0000 │                        │
-- │     2 │ rowan1 │ 0.3734 │          0.0132 │                  False │
-- │     3 │ birch3 │ 0.3733 │          0.0134 │                  False │
-- │     4 │ birch1 │ 0.3731 │          0.0136 │                  False │
-- │     5 │ birch2 │ 0.3568 │          0.0299 │                  False │
-- └───────┴────────┴────────┴─────────────────┴────────────────────────┘
-- 5 of 27 rows
