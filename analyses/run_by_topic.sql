-- question: On which topics does a run fail or succeed?
-- about: topics
--
-- The AP and the place of the run on each topic, beside the median and the best
-- AP of all runs; its worst topics first. A topic with many unjudged documents
-- among the first ten may be no failure, because nobody judged the documents
-- that the run found.
--
-- parameter: collection
-- parameter: run_id = (
--     select min(run_id) from leaderboard
--     where collection_id = $collection and rank = 1
-- )
with

topic_leaderboard as (

    select * from topic_leaderboard
    where collection_id = $collection

),

-- one row per judged topic
others as (

    select
        topic_id,
        median(ap) as median_ap,
        max(ap) as best_ap
    from topic_leaderboard
    group by topic_id

),

-- one row per judged topic, for the run
compared as (

    select
        topic_leaderboard.topic_id,
        topic_leaderboard.rank,
        topic_leaderboard.ap,
        others.median_ap,
        others.best_ap,
        topic_leaderboard.unjudged_10
    from topic_leaderboard
    inner join others on topic_leaderboard.topic_id = others.topic_id
    where topic_leaderboard.run_id = $run_id

)

select * from compared
order by
    ap - median_ap,
    topic_id

-- sample: --collection odd-one-out --run-id owl1
-- ┏━━━━━━━━━━┳━━━━━━┳━━━━━━━━┳━━━━━━━━━━━┳━━━━━━━━━┳━━━━━━━━━━━━━┓
-- ┃ topic_id ┃ rank ┃     ap ┃ median_ap ┃ best_ap ┃ unjudged_10 ┃
-- ┡━━━━━━━━━━╇━━━━━━╇━━━━━━━━╇━━━━━━━━━━━╇━━━━━━━━━╇━━━━━━━━━━━━━┩
-- │ 305      │   17 │ 0.1672 │    0.2771 │  0.3660 │      0.0000 │
-- │ 306      │   15 │ 0.6321 │    0.7259 │  0.8141 │      0.0000 │
-- │ 330      │   15 │ 0.1949 │    0.2722 │  0.4335 │      0.0000 │
-- │ 321      │   17 │ 0.1907 │    0.2638 │  0.4904 │      0.0000 │
-- │ 314      │   15 │ 0.1046 │    0.1637 │  0.3295 │      0.0000 │
-- └──────────┴──────┴────────┴───────────┴─────────┴─────────────┘
-- 5 of 30 rows
