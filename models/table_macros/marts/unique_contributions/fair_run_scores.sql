{{ config(arguments=['collection', 'asked', 'definition', "n := null", "unjudged := 'nonrelevant'"]) }}

with

{{ imports('measures') }},

topic_scores as (

    select * from {{ ref('fair_topic_scores') }}(collection, asked, definition, n := n, unjudged := unjudged)

),

{{ asked_scores_of_runs(['collection_id', 'run_id', 'definition', 'n', 'unjudged', 'measure']) }}

select * from run_scores
