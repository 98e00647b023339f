-- question: Where would a run stand with other judgements?
-- about: judgements
--
-- The score of the run with each judgement set: with all judgements, and
-- without the documents that the run alone, or its organization alone,
-- contributed. The place is among the other runs, which keep their scores with
-- all judgements. A run that was not pooled contributed nothing. Its score
-- changes only by the unique relevant documents of its organization, where the
-- organization has pooled runs.
--
-- parameter: collection
-- parameter: run_id = (
--     select min(run_id) from leaderboard
--     where collection_id = $collection and rank = 1
-- )
with

-- scores are rounded, because the float noise of sums would decide places
scores as (

    select
        run_id,
        unjudged,
        judgement_set,
        round(score_all_topics, 9) as ap
    from fct_run_scores
    where
        collection_id = $collection
        and measure = 'AP'

),

-- one row per judgement set and treatment
of_run as (

    select * from scores
    where run_id = $run_id

),

-- one row per other run and treatment
of_others as (

    select * from scores
    where
        run_id <> $run_id
        and judgement_set = 'full'

),

placed as (

    select
        of_run.unjudged,
        of_run.judgement_set,
        of_run.ap,
        1 + count(*) filter (where of_others.ap > of_run.ap) as place
    from of_run
    left join of_others on of_run.unjudged = of_others.unjudged
    group by
        of_run.unjudged,
        of_run.judgement_set,
        of_run.ap

)

select * from placed
order by
    unjudged desc,
    ap desc,
    judgement_set asc

-- sample: --collection odd-one-out --run-id owl1
-- ┏━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━┳━━━━━━━┓
-- ┃ unjudged    ┃ judgement_set           ┃     ap ┃ place ┃
-- ┡━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━╇━━━━━━━┩
-- │ nonrelevant │ full                    │ 0.3474 │     2 │
-- │ nonrelevant │ without_run             │ 0.3265 │     3 │
-- │ nonrelevant │ without_organization    │ 0.2009 │    14 │
-- │ nonrelevant │ without_unique_relevant │ 0.2009 │    14 │
-- │ condensed   │ without_organization    │ 0.4263 │     1 │
-- └─────────────┴─────────────────────────┴────────┴───────┘
-- 5 of 8 rows
