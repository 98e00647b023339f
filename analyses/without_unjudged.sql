-- question: Who moves when unjudged documents are left out?
-- about: judgements
--
-- Places by AP where unjudged documents are not relevant, and places on
-- condensed lists, from which they are removed. The two err in opposite
-- directions: the first is too low for runs with many unjudged documents, and
-- the second is too high for them. A run that wins by both is a safer winner.
--
-- parameter: collection
-- parameter: measure = 'AP'
with

-- scores are rounded, because the float noise of sums would decide places
scores as (

    select
        run_id,
        round(score_all_topics, 9) as score
    from run_scores($collection, $measure)

),

-- the same scores on condensed lists
condensed_scores as (

    select
        run_id,
        round(score_all_topics, 9) as score
    from run_scores($collection, $measure, unjudged := 'condensed')

),

leaderboard as (

    select * from leaderboard
    where collection_id = $collection

),

-- one row per run
placed as (

    select
        scores.run_id,
        leaderboard.is_pooled,
        leaderboard.unjudged_10,
        rank() over (order by scores.score desc) as place,
        -- null where the qrels list relevant documents only
        case
            when leaderboard.unjudged_10 is not null
                then rank() over (order by condensed_scores.score desc)
        end as condensed_place
    from scores
    inner join condensed_scores on scores.run_id = condensed_scores.run_id
    inner join leaderboard on scores.run_id = leaderboard.run_id

)

select * from placed
order by
    abs(place - condensed_place) desc,
    place asc,
    run_id asc

-- sample: --collection shallow-pool
-- ┏━━━━━━━━━┳━━━━━━━━━━━┳━━━━━━━━━━━━━┳━━━━━━━┳━━━━━━━━━━━━━━━━━┓
-- ┃ run_id  ┃ is_pooled ┃ unjudged_10 ┃ place ┃ condensed_place ┃
-- ┡━━━━━━━━━╇━━━━━━━━━━━╇━━━━━━━━━━━━━╇━━━━━━━╇━━━━━━━━━━━━━━━━━┩
-- │ jasper2 │     False │      0.2167 │     8 │               4 │
-- │ jasper1 │     False │      0.3067 │    11 │               7 │
-- │ agate2  │      True │      0.0000 │     6 │               9 │
-- │ agate1  │      True │      0.0000 │     4 │               5 │
-- │ agate3  │     False │      0.1333 │     5 │               6 │
-- └─────────┴───────────┴─────────────┴───────┴─────────────────┘
-- 5 of 11 rows
