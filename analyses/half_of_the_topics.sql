-- question: How stable is the ranking over half of the topics?
-- about: runs
--
-- The topics are divided into halves in twenty ways, and runs are ranked by each half. Kendall's tau (tau-a: a tied pair
-- counts as 0) says how alike the two rankings are; 0.9 is commonly held for equivalent. A ranking by all topics is
-- more stable than by half of them, so this is a lower bound.
--
-- parameter: collection
-- parameter: measure = 'AP'
with

topic_scores as (

    select * from topic_scores($collection, $measure)

),

-- one row per way to divide and topic; the order is that of a digest, and so the same each time
shuffled as (

    select
        ways.way,
        topics.topic_id,
        row_number() over (partition by ways.way order by md5(topics.topic_id || ' ' || ways.way)) as position,
        count(*) over (partition by ways.way) as n_topics
    from (select distinct topic_id from topic_scores) as topics
    cross join (select unnest(range(1, 21)) as way) as ways

),

-- one row per way and run: its mean over either half
halves as (

    select
        shuffled.way,
        topic_scores.run_id,
        avg(topic_scores.score) filter (where shuffled.position <= shuffled.n_topics / 2) as score,
        avg(topic_scores.score) filter (where shuffled.position > shuffled.n_topics / 2) as other_score
    from topic_scores
    inner join shuffled on topic_scores.topic_id = shuffled.topic_id
    group by
        shuffled.way,
        topic_scores.run_id

),

-- one row per way: over pairs of runs, 1 where both halves have the same order, -1 where the other one
agreement as (

    select
        ones.way,
        count(*) as n_pairs,
        avg(sign(ones.score - others.score) * sign(ones.other_score - others.other_score)) as kendall_tau,
        max(abs(ones.score - others.score)) filter (
            where (ones.score - others.score) * (ones.other_score - others.other_score) < 0
        ) as largest_swapped_difference
    from halves as ones
    inner join halves as others
        on
            ones.way = others.way
            and ones.run_id < others.run_id
    group by ones.way

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
