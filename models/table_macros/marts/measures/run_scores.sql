{{ config(arguments=[
    'collection', 'asked', "judgement_set := 'full'", "unjudged := 'nonrelevant'",
    "author := '" ~ reference_author() ~ "'"
]) }}

with

{{ imports('measures') }},

topic_scores as (

    select * from {{ ref('topic_scores') }}(
        collection, asked, judgement_set := judgement_set, unjudged := unjudged, author := author
    )

),

{{ asked_scores_of_runs(['collection_id', 'run_id', 'judgement_set', 'unjudged', 'measure', 'trec_eval_name']) }}

select * from run_scores
