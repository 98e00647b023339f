{{ config(materialized='own_macro', meta={'is_checked': true}, arguments=[
    'collection', 'asked', 'run_ids', 'new_rankings', 'new_relevance', 'topic_scores', 'unjudged_grades',
    "is_required := false"
]) }}
-- int_asked_expected_scores for some runs of a collection, together with runs that are not loaded. The last argument belongs
-- to its steps, and is never passed.

with

{{ imports('int_collections') }},

{{ expected_of_asked_runs() }},

{{ steps(['int_asked_expected_scores'], given_of_expected_scores(), stored_of_expected_scores()) }},

-- one row per run whose score can be told, by a measure that has expected scores
told as (

    select
        run_id,
        n_topics,
        if_judged,
        if_judged_95_low,
        if_judged_95_high
    from int_asked_expected_scores
    where
        advice <> 'cannot be told'
        and {{ has_expected_score() }}

)

select * from told
