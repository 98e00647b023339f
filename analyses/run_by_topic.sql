-- question: On which topics does a run fail, on which not?
-- about: topics
--
-- The run's AP and place on each topic beside the median and the best of all runs, its worst topics first. A topic with many
-- unjudged documents among the first ten may be none of its failures: nobody looked at what it found.
--
-- parameter: collection
-- parameter: run_id = (select min(run_id) from leaderboard where collection_id = $collection and rank = 1)
with

topic_leaderboard as (

    select * from topic_leaderboard
    where collection_id = $collection

),

-- one row per judged topic
others as (

    select
        topic_id,
        median(map) as median_ap,
        max(map) as best_ap
    from topic_leaderboard
    group by topic_id

),

-- the same
compared as (

    select
        topic_leaderboard.topic_id,
        topic_leaderboard.rank,
        topic_leaderboard.map as ap,
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
