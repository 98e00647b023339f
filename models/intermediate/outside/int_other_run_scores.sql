{{ config(materialized='table_macro', arguments=['collection', 'except_run']) }}
-- The arguments have the names of columns:
-- noqa: disable=RF03

with

{{ imports('int_collections', 'int_runs', 'int_pooled_states') }},

run_scores as (

    select * from {{ ref('int_run_scores') }}
    where
        unjudged = 'nonrelevant'
        and score is not null

),

-- the scores of the runs of the collection, without the run that is not to be compared
other_scores as (

    select
        run_scores.measure,
        run_scores.score,
        pooled_states.is_pooled
    from collections
    inner join run_scores on collections.collection_key = run_scores.collection_key
    inner join runs on run_scores.run_key = runs.run_key
    inner join pooled_states on run_scores.run_key = pooled_states.run_key
    where
        collections.collection_id = collection
        and runs.run_id is distinct from except_run

)

select * from other_scores
