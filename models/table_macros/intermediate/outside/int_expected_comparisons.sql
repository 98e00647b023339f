{{ config(materialized='own_macro', meta={'is_checked': true}, arguments=[
    'collection', 'asked', 'run_ids', 'new_rankings', 'new_relevance', 'topic_scores', 'unjudged_grades',
    "is_required := false"
]) }}
-- The rows of int_asked_expected_pairs, in both orders, for some runs of a collection, together with runs that are not loaded.
-- The last argument belongs to its steps, and is never passed.

with

{{ imports('int_collections') }},

{{ expected_of_asked_runs() }},

{{ steps(['int_asked_expected_pairs'], given_of_expected_scores(), stored_of_expected_scores()) }},

-- the same rows in both orders
in_both_orders as (

    select * from int_asked_expected_pairs
    union all
    select
        * replace (
            other_run_id as run_id,
            run_id as other_run_id,
            other_unjudged_weight as unjudged_weight,
            unjudged_weight as other_unjudged_weight,
            other_if_judged as if_judged,
            if_judged as other_if_judged,
            {{ unsigned_zero('-difference_if_judged') }} as difference_if_judged,
            error_above as error_below,
            error_below as error_above,
            {{ unsigned_zero('-t_if_judged') }} as t_if_judged
        )
    from int_asked_expected_pairs

)

select * from in_both_orders
