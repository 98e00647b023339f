-- question: What does trec_eval print for a run?
-- about: runs
--
-- `score` is the mean over the topics that the run answers, as trec_eval prints
-- it without -c; `score_all_topics` is the mean with -c. `poolhouse score`
-- prints the same figures for a run that is not loaded.
--
-- parameter: collection
-- parameter: run_id = (
--     select min(run_id) from leaderboard
--     where collection_id = $collection and rank = 1
-- )
with

run_scores as (

    select * from fct_run_scores
    where
        collection_id = $collection
        and run_id = $run_id
        and judgement_set = 'full'
        and unjudged = 'nonrelevant'
        and trec_eval_name is not null

),

named as (

    select
        run_scores.trec_eval_name,
        'all' as topics,
        run_scores.score,
        run_scores.score_all_topics,
        run_scores.n_topics,
        measures.position
    from run_scores
    inner join dim_measures as measures on run_scores.measure = measures.measure

)

select * exclude (position) from named
order by position

-- sample: --collection odd-one-out --run-id owl1
-- ┏━━━━━━━━━━━━━━━━┳━━━━━━━━┳━━━━━━━━┳━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━┓
-- ┃ trec_eval_name ┃ topics ┃  score ┃ score_all_topics ┃ n_topics ┃
-- ┡━━━━━━━━━━━━━━━━╇━━━━━━━━╇━━━━━━━━╇━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━┩
-- │ P_5            │ all    │ 0.5867 │           0.5867 │       30 │
-- │ P_10           │ all    │ 0.4967 │           0.4967 │       30 │
-- │ P_20           │ all    │ 0.4133 │           0.4133 │       30 │
-- │ P_30           │ all    │ 0.3233 │           0.3233 │       30 │
-- │ P_100          │ all    │ 0.1357 │           0.1357 │       30 │
-- └────────────────┴────────┴────────┴──────────────────┴──────────┘
-- 5 of 42 rows
