{{ config(materialized='table') }}

with

{{ imports('stg_run_lines', 'int_topics', 'int_judged_topics') }},

-- one row per run and judged topic that it answers
figures as (

    select
        run_lines.collection_key,
        run_lines.run_key,
        topics.topic_key,
        count(*) as n_lines,
        max(run_lines.score) filter (where run_lines.doc_id = run_lines.topic_id) = max(run_lines.score)
            as is_led_by_topic
    from run_lines
    inner join topics using (collection_key, topic_id)
    inner join judged_topics using (collection_key, topic_key)
    group by all

)

select * from figures
