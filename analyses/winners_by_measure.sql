-- question: Do measures disagree about the winner?
-- about: runs
--
-- The winner by each measure, with its place on the leaderboard. Where that
-- place is far from 1, say which measure fits the behaviour of your users
-- before you say who won. A measure that depends on few documents, such as
-- RR, more often has a winner by luck.
--
-- parameter: collection
with

-- scores are rounded, because the float noise of sums would decide places
run_scores as (

    select
        run_id,
        trec_eval_name,
        round(score_all_topics, 9) as score
    from fct_run_scores
    where
        collection_id = $collection
        and judgement_set = 'full'
        and unjudged = 'nonrelevant'
        and measure in (
            'AP', 'P@10', 'nDCG@10', 'RR', 'Rprec', 'Bpref', 'R@100', 'R@1000'
        )

),

leaderboard as (

    select * from leaderboard
    where collection_id = $collection

),

-- one row per measure and winner; several runs may share the highest score
winners as (

    select *
    from run_scores
    qualify rank() over (
        partition by trec_eval_name
        order by score desc
    ) = 1

),

compared as (

    select
        winners.trec_eval_name as measure,
        winners.run_id as winner,
        winners.score,
        leaderboard.rank,
        leaderboard.unjudged_10,
        measures.position
    from winners
    inner join leaderboard on winners.run_id = leaderboard.run_id
    inner join dim_measures as measures
        on winners.trec_eval_name = measures.trec_eval_name
    -- where nobody knows what is unjudged, these measures tell nothing
    where
        leaderboard.unjudged_10 is not null
        or winners.trec_eval_name not in ('bpref', 'infAP')

)

select * exclude (position) from compared
order by
    rank,
    position,
    winner

-- sample: --collection deep-pool
-- ┏━━━━━━━━━━━━━┳━━━━━━━━┳━━━━━━━━┳━━━━━━┳━━━━━━━━━━━━━┓
-- ┃ measure     ┃ winner ┃  score ┃ rank ┃ unjudged_10 ┃
-- ┡━━━━━━━━━━━━━╇━━━━━━━━╇━━━━━━━━╇━━━━━━╇━━━━━━━━━━━━━┩
-- │ recall_1000 │ rowan2 │ 0.7611 │    1 │      0.0000 │
-- │ map         │ rowan2 │ 0.3867 │    1 │      0.0000 │
-- │ Rprec       │ rowan2 │ 0.4129 │    1 │      0.0000 │
-- │ bpref       │ rowan2 │ 0.3822 │    1 │      0.0000 │
-- │ P_10        │ rowan1 │ 0.6233 │    2 │      0.0000 │
-- └─────────────┴────────┴────────┴──────┴─────────────┘
-- 5 of 8 rows
