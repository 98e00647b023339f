{{ config(materialized='table') }}

with

{{ imports('int_runs', 'int_run_topics', 'int_judged_rankings', 'int_judgements', sets='int_judged_topics') }},

-- one row per run and judged topic, answered or not
lists as (

    select
        runs.collection_key,
        runs.run_key,
        sets.topic_key
    from runs
    inner join sets using (collection_key)

),

{{ scores_by_measures(var('measures'), treatments=["'nonrelevant'", "'condensed'"]) }}

select * from scores
