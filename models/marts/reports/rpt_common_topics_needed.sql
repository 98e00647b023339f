with

topic_deltas as (

    select * from {{ ref('fct_topic_deltas') }}

),

standard_errors as (

    select * from (values (0.005), (0.01), (0.02), (0.05)) as listed (standard_error)

),

-- one row per pooled run, level, measure and standard error that is asked for
needed as (

    select
        topic_deltas.collection_id,
        topic_deltas.run_id,
        topic_deltas.level,
        topic_deltas.measure,
        cast(standard_errors.standard_error as double) as standard_error,
        topic_deltas.n_topics,
        {{ common_topics_needed(
            'topic_deltas.delta_variance', 'topic_deltas.n_topics', 'standard_errors.standard_error'
        ) }} as n_common_topics
    from topic_deltas
    cross join standard_errors

)

select * from needed
