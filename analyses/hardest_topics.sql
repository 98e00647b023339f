-- question: Which topics are hardest?
-- about: topics
--
-- Topics by the median AP of the runs, the lowest first. `spread` is how far the runs differ there (the standard deviation): a topic
-- that is hard for all tells no two runs apart.
--
-- parameter: collection
with

topic_leaderboard as (

    select * from topic_leaderboard
    where collection_id = $collection

),

topics as (

    select * from dim_topics
    where
        collection_id = $collection
        and is_judged

),

-- one row per judged topic
difficulty as (

    select
        topic_id,
        median(map) as median_ap,
        max(map) as best_ap,
        min_by(run_id, (rank, run_id)) as best_run,
        stddev_pop(map) as spread
    from topic_leaderboard
    group by topic_id

),

named as (

    select
        topics.topic_id,
        topics.title,
        topics.n_relevant,
        difficulty.median_ap,
        difficulty.best_ap,
        difficulty.best_run,
        difficulty.spread
    from difficulty
    inner join topics on difficulty.topic_id = topics.topic_id

)

select * from named
order by
    median_ap,
    topic_id

-- sample: --collection odd-one-out
