{{ config(arguments=['topic_scores', 'topics', 'sizes']) }}
-- The estimates from common topics for the unpooled run of each sample, for samples of topics and several numbers
-- of common topics.

with

-- no score counts as settled by the number of judged documents, because the experiment tests the estimators on the
-- scores
int_common_topic_scores as (

    select
        *,
        cast(null as integer) as n_unjudged,
        cast(null as integer) as n_common_unjudged
    from query_table(topic_scores)

),

numbers as (

    select unnest(sizes) as n_asked

),

topic_counts as (

    select count(distinct topic_key) as n_topics
    from int_common_topic_scores

),

-- one row per sample: the run that is not pooled
unpooled_runs as (

    select distinct
        collection_key,
        pool_key,
        run_key
    from int_common_topic_scores

),

-- the topics of each sample of topics: the first n of them, and no more than there are
int_common_topics as (

    select
        unpooled_runs.collection_key,
        unpooled_runs.pool_key,
        unpooled_runs.run_key,
        topics.topic_sample,
        numbers.n_asked,
        topics.topic_key,
        topics.place
    from query_table(topics) as topics
    inner join numbers on topics.place <= numbers.n_asked
    inner join topic_counts on numbers.n_asked <= topic_counts.n_topics
    inner join unpooled_runs on topics.sample = unpooled_runs.pool_key

),

{{ steps(['int_common_topic_estimates'], ['int_common_topic_scores', 'int_common_topics']) }}

select
    pool_key as sample,
    * exclude (
        collection_key, pool_key, run_key, n_asked, n_unjudged, n_common_unjudged, true_scores
    )
from int_common_topic_estimates
