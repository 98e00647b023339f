-- question: How stable is the ranking over half of the topics?
-- about: runs
--
-- The topics are divided into halves in twenty ways, and runs are ranked by
-- each half. Kendall's tau (tau-a: a tied pair counts as 0) says how similar
-- the two rankings are; 0.9 is commonly considered equivalent. A ranking by all
-- topics is more stable than a ranking by half of them, so these figures are
-- pessimistic. `largest_swapped_difference` is the largest difference between
-- two runs that the other half ranks in the opposite order.
--
-- parameter: collection
-- parameter: measure = 'AP'
with

topic_scores as (

    select * from topic_scores($collection, $measure)

),

-- one row per topic
topics as (

    select distinct topic_id from topic_scores

),

-- one row per way to divide the topics
ways as (

    select unnest(range(1, 21)) as way

),

-- one row per way and topic, in the order of a digest, which never changes
shuffled as (

    select
        ways.way,
        topics.topic_id,
        row_number() over (
            partition by ways.way
            order by md5(topics.topic_id || ' ' || ways.way)
        ) as position,
        count(*) over (partition by ways.way) as n_topics
    from topics
    cross join ways

),

-- one row per way and run: its mean over either half, without float noise
halves as (

    select
        shuffled.way,
        topic_scores.run_id,
        round(avg(topic_scores.score) filter (
            where shuffled.position <= shuffled.n_topics / 2
        ), 9) as score,
        round(avg(topic_scores.score) filter (
            where shuffled.position > shuffled.n_topics / 2
        ), 9) as other_score
    from topic_scores
    inner join shuffled on topic_scores.topic_id = shuffled.topic_id
    group by
        shuffled.way,
        topic_scores.run_id

),

-- one row per way and unordered pair of runs: their difference in each half
differences as (

    select
        ones.way,
        ones.score - twos.score as difference,
        ones.other_score - twos.other_score as other_difference
    from halves as ones
    inner join halves as twos
        on
            ones.way = twos.way
            and ones.run_id < twos.run_id

),

-- one row per way
agreement as (

    select
        way,
        avg(sign(difference) * sign(other_difference)) as kendall_tau,
        max(abs(difference)) filter (
            where difference * other_difference < 0
        ) as largest_swapped_difference
    from differences
    group by way

),

-- one row
summary as (

    select
        count(*) as n_ways,
        avg(kendall_tau) as mean_tau,
        min(kendall_tau) as lowest_tau,
        max(kendall_tau) as highest_tau,
        max(largest_swapped_difference) as largest_swapped_difference
    from agreement

)

select * from summary

-- sample: --collection shallow-pool
-- ┏━━━━━━━━┳━━━━━━━━━━┳━━━━━━━━━━━━┳━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
-- ┃ n_ways ┃ mean_tau ┃ lowest_tau ┃ highest_tau ┃ largest_swapped_difference ┃
-- ┡━━━━━━━━╇━━━━━━━━━━╇━━━━━━━━━━━━╇━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━━━━━┩
-- │     20 │   0.7836 │     0.5273 │      0.8909 │                     0.1437 │
-- └────────┴──────────┴────────────┴─────────────┴────────────────────────────┘
