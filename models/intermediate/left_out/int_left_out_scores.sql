{{ config(materialized='table') }}

with

{{ imports(
    'int_judgement_sets', 'int_run_topics', judged_rankings='int_contributed_rankings',
    judgements='int_contributed_judgements', sets='int_left_out'
) }},

-- one row per run, judged topic, and run or organization whose leaving loses a document there
lists as (

    select distinct
        collection_key,
        run_key,
        topic_key,
        left_out_key
    from judgement_sets
    where left_out_key > 0

),

{{ scores_by_measures(var('measures'), by=['left_out_key'], treatments=["'nonrelevant'", "'condensed'"]) }}

select * from scores
