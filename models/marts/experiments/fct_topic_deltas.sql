with

left_out_topic_scores as (

    select * from {{ ref('int_left_out_topic_scores') }}
    where pool_key = 0

),

measures as (

    select * from {{ ref('int_experiments') }}
    where subset = 'all'

),

collections as (

    select * from {{ ref('int_collections') }}

),

runs as (

    select * from {{ ref('int_runs') }}

),

-- one row per run, level, measure and topic: its score with its own contributions and without
topics as (

    select
        left_out.collection_key,
        left_out.run_key,
        left_out.level,
        left_out.measure,
        left_out.topic_key,
        max(left_out.score) filter (where left_out.pool_view = 'reference') as true_score,
        max(left_out.score) filter (where left_out.pool_view = 'unpooled') as unpooled_score
    from left_out_topic_scores as left_out
    inner join measures on left_out.measure = measures.measure
    group by
        left_out.collection_key,
        left_out.run_key,
        left_out.level,
        left_out.measure,
        left_out.topic_key

),

-- one row per run, level and measure: as if all topics were common
deltas as (

    select
        topics.collection_key,
        topics.run_key,
        topics.level,
        topics.measure,
        {{ common_topic_columns('topics') }}
    from topics
    group by
        topics.collection_key,
        topics.run_key,
        topics.level,
        topics.measure

),

named as (

    select
        collections.collection_id,
        runs.run_id,
        deltas.level,
        deltas.measure,
        deltas.n_common_topics as n_topics,
        deltas.adjustment as mean_delta,
        deltas.delta_variance,
        deltas.true_variance
    from deltas
    inner join collections on deltas.collection_key = collections.collection_key
    inner join runs on deltas.run_key = runs.run_key

)

select * from named
