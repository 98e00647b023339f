with

topic_scores as (

    select * from {{ ref('int_left_out_topic_scores') }}

),

-- one row per pool, run, level, view and measure: the mean over the topics that the run answers
run_scores as (

    select
        collection_key,
        pool_key,
        run_key,
        level,
        pool_view,
        measure,
        avg(score) as score,
        count(*) as n_topics
    from topic_scores
    group by
        collection_key,
        pool_key,
        run_key,
        level,
        pool_view,
        measure

)

select * from run_scores
