{{ config(materialized='table_macro', arguments=['topic_scores', 'topics', 'sizes']) }}

with

scores as (

    select * from query_table(topic_scores)

),

-- one row per sample, treatment and measure: what is known of all topics
all_topics as (

    select
        sample,
        unjudged,
        measure,
        cast(count(*) as integer) as n_topics,
        avg(true_score) as true_score,
        avg(unpooled_score) as unadjusted_score
    from scores
    group by
        sample,
        unjudged,
        measure

),

numbers as (

    select unnest(sizes) as size

),

-- the common topics of each size, with their scores
common_topics as (

    select
        scores.sample,
        topics.topic_sample,
        topics.place,
        numbers.size,
        scores.unjudged,
        scores.measure,
        scores.true_score,
        scores.unpooled_score
    from query_table(topics) as topics
    inner join numbers on topics.place <= numbers.size
    inner join scores
        on
            topics.sample = scores.sample
            and topics.topic_key = scores.topic_key

),

-- one row per sample, sample of topics, size, treatment and measure: what is known of the common ones
common as (

    select
        common_topics.sample,
        common_topics.topic_sample,
        common_topics.size,
        common_topics.unjudged,
        common_topics.measure,
        {{ common_topic_columns('common_topics') }},
        -- in an order, so that the same seed resamples the same
        list(common_topics.true_score - common_topics.unpooled_score order by common_topics.place) as deltas
    from common_topics
    group by
        common_topics.sample,
        common_topics.topic_sample,
        common_topics.size,
        common_topics.unjudged,
        common_topics.measure

),

-- the same rows with what is known of all topics; sizes that are more than there are topics are left out
known as (

    select
        common.*,
        all_topics.n_topics,
        all_topics.true_score,
        all_topics.unadjusted_score
    from common
    inner join all_topics
        on
            common.sample = all_topics.sample
            and common.unjudged = all_topics.unjudged
            and common.measure = all_topics.measure
    where common.n_common_topics = common.size

),

-- the same rows with the estimates (algorithm 2)
estimates as (

    select
        * exclude (size, sampled_score),
        {{ topic_estimate_columns() }}
    from known

)

select * from estimates
