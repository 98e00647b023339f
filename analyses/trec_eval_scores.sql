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
        trec_eval_name,
        'all' as topics,
        score,
        score_all_topics,
        n_topics
    from run_scores

)

select * from named
order by trec_eval_name

-- sample: --collection odd-one-out --run-id owl1
-- ┏━━━━━━━━━━━━━━━━┳━━━━━━━━┳━━━━━━━━┳━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━┓
-- ┃ trec_eval_name ┃ topics ┃  score ┃ score_all_topics ┃ n_topics ┃
-- ┡━━━━━━━━━━━━━━━━╇━━━━━━━━╇━━━━━━━━╇━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━┩
-- │ P_10           │ all    │ 0.4967 │           0.4967 │       30 │
-- │ P_10 with -l 2 │ all    │ 0.3200 │           0.3200 │       30 │
-- │ P_100          │ all    │ 0.1357 │           0.1357 │       30 │
-- │ P_20           │ all    │ 0.4133 │           0.4133 │       30 │
-- │ P_30           │ all    │ 0.3233 │           0.3233 │       30 │
-- └────────────────┴────────┴────────┴──────────────────┴──────────┘
-- 5 of 40 rows
