{{ config(materialized='table') }}

with

{{ imports(
    'int_judgement_sets', 'int_run_topics', judged_rankings='int_contributed_rankings',
    judgements='int_contributed_judgements', sets='int_left_out'
) }},

treatments as (

    select * from (values ('nonrelevant'), ('condensed')) as listed (unjudged)

),

-- one row per run, judged topic, and run or organization whose leaving loses a document there
lists as (

    select distinct
        collection_key,
        run_key,
        topic_key,
        left_out_run_key,
        left_out_organization_key,
        left_out_relevant_organization_key
    from judgement_sets
    where not {{ is_nothing_left_out('judgement_sets') }}

),

{{ scores_by_measures(var('measures'), leaving=true) }}

select * from scores
