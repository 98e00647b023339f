-- question: Which topics separate the best run from the median?
-- about: topics
--
-- The AP of the best run on each topic, minus the median of all runs on the
-- topic. `share_of_lead` is the part of the whole lead of the best run that
-- comes from the topic. Where a few topics account for most of the lead,
-- another run may win on other topics.
--
-- parameter: collection
with

topic_leaderboard as (

    select * from topic_leaderboard
    where collection_id = $collection

),

leaderboard as (

    select * from leaderboard
    where collection_id = $collection

),

-- one row: of several runs at the first place, the first by name
best_run as (

    select min(run_id) as run_id
    from leaderboard
    where rank = 1

),

-- one row per judged topic
leads as (

    select
        topic_leaderboard.topic_id,
        max(best_run.run_id) as best_run,
        max(topic_leaderboard.ap) filter (
            where topic_leaderboard.run_id = best_run.run_id
        ) as ap,
        median(topic_leaderboard.ap) as median_ap
    from topic_leaderboard
    cross join best_run
    group by topic_leaderboard.topic_id

),

shares as (

    select
        *,
        ap - median_ap as lead,
        (ap - median_ap)
        / nullif(sum(ap - median_ap) over (), 0) as share_of_lead
    from leads

)

select * from shares
order by
    lead desc,
    topic_id asc

-- sample: --collection odd-one-out
-- ┏━━━━━━━━━━┳━━━━━━━━━━┳━━━━━━━━┳━━━━━━━━━━━┳━━━━━━━━┳━━━━━━━━━━━━━━━┓
-- ┃ topic_id ┃ best_run ┃     ap ┃ median_ap ┃   lead ┃ share_of_lead ┃
-- ┡━━━━━━━━━━╇━━━━━━━━━━╇━━━━━━━━╇━━━━━━━━━━━╇━━━━━━━━╇━━━━━━━━━━━━━━━┩
-- │ 310      │ owl3     │ 0.5242 │    0.1129 │ 0.4113 │        0.1270 │
-- │ 301      │ owl3     │ 0.4946 │    0.2038 │ 0.2908 │        0.0898 │
-- │ 329      │ owl3     │ 0.5370 │    0.2597 │ 0.2774 │        0.0856 │
-- │ 323      │ owl3     │ 0.3323 │    0.1130 │ 0.2193 │        0.0677 │
-- │ 319      │ owl3     │ 0.2506 │    0.0334 │ 0.2172 │        0.0671 │
-- └──────────┴──────────┴────────┴───────────┴────────┴───────────────┘
-- 5 of 30 rows
