{{ config(arguments=['collection', 'first_sample', 'last_sample', 'n_topic_samples', 'seed']) }}

with

judged_topics as (

    select
        judged_topics.topic_key,
        topics.topic_id
    from {{ ref('int_judged_topics') }} as judged_topics
    inner join {{ ref('int_collections') }} as collections using (collection_key)
    inner join {{ ref('int_topics') }} as topics using (collection_key, topic_key)
    where collections.collection_id = collection

),

topic_samples as (

    select
        cast(samples.sample as integer) as sample,
        cast(topic_samples.topic_sample as integer) as topic_sample
    from range(first_sample, last_sample + 1) as samples (sample)
    cross join range(1, n_topic_samples + 1) as topic_samples (topic_sample)

),

-- one row per sample of runs, sample of topics and topic. The topics at the first n places are the common topics,
-- so a larger number of common topics contains the topics of every smaller number.
placed as (

    select
        topic_samples.sample,
        topic_samples.topic_sample,
        judged_topics.topic_key,
        cast(
            row_number() over (
                partition by topic_samples.sample, topic_samples.topic_sample
                order by {{ lot('seed', [
                    "'topic'", 'topic_samples.sample', 'topic_samples.topic_sample', 'judged_topics.topic_id'
                ]) }}
            ) as integer
        ) as place
    from topic_samples
    cross join judged_topics

)

select * from placed
