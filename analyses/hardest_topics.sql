-- question: Which topics are hardest?
-- about: topics
--
-- Topics by the median AP of the runs, the lowest first. `spread` is the
-- standard deviation of the AP of the runs on the topic. A topic that is hard
-- for all runs does not distinguish between them.
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
        median(ap) as median_ap,
        max(ap) as best_ap,
        min_by(run_id, (rank, run_id)) as best_run,
        stddev_pop(ap) as spread
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
--                                        n_  median_
-- topic_id  title                  relevant       ap  best_ap  best_run  spread
-- ─────────────────────────────────────────────────────────────────────────────
-- 319       lighthouses history           8   0.0334   0.2652  owl1      0.0805
-- 320       wild horses history          14   0.0386   0.2346  owl2      0.0709
-- 318       volcanic soil history         9   0.0406   0.2422  owl1      0.0665
-- 317       cave paintings               16   0.0605   0.2639  owl1      0.0669
--           history
-- 313       night trains history          9   0.0629   0.3606  crane3    0.0995
-- 5 of 30 rows
