{{ config(materialized='table') }}

with

{{ imports('int_runs', 'int_run_topics', 'stg_qrels', 'stg_run_lines') }},

-- the runs that return no document of the qrels: there are few
unmet_runs as (

    select runs.run_key
    from runs
    anti join run_topics
        on
            runs.run_key = run_topics.run_key
            and run_topics.n_retrieved_in_qrels > 0

),

lines as (

    select
        run_lines.collection_key,
        run_lines.run_key,
        run_lines.topic_id,
        run_lines.doc_id
    from run_lines
    semi join unmet_runs using (run_key)

),

in_qrels as (

    select
        collection_key,
        topic_id,
        doc_id
    from qrels

),

{{ mismatches() }}

select * from mismatches
