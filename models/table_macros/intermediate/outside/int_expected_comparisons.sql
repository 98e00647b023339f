{{ config(materialized='own_macro', arguments=[
    'collection', 'asked', 'run_ids', 'new_rankings', 'new_relevance', 'topic_scores', "is_required := false"
]) }}
{%- set given = given_of_asked_runs() + ['int_pooled_states', 'int_expected_relevance', 'int_asked_topic_scores'] -%}
{#- What depends on the runs of the pool alone. -#}
{%- set stored = [
    'int_collections', 'int_judged_topics', 'int_pool_runs', 'int_contributed_judgements', 'int_expected_documents',
    'int_asked_left_out_shares', 'int_asked_grades'
] -%}
-- The rows of int_asked_expected_pairs, in both orders, for some runs of a collection, together with runs that are not loaded.
-- The last argument belongs to its steps, and is never passed.

-- A macro that the macros of its steps name:
-- depends_on: {{ ref('int_measure_hints') }}

with

{{ imports('int_collections') }},

-- one row: the collection
asked_collection as (

    select collection_key
    from collections
    where collection_id = collection

),

{{ asked_runs() }},

-- a run that is not loaded was not pooled
int_pooled_states as (

    select
        int_runs.run_key,
        coalesce(pooled_states.is_pooled, false) as is_pooled
    from int_runs
    left join {{ ref('int_pooled_states') }} as pooled_states using (run_key)

),

-- the documents of these runs that nobody judged
int_expected_relevance as (

    select
        relevance.collection_key,
        relevance.pool_key,
        relevance.run_key,
        relevance.topic_key,
        relevance.doc_key,
        relevance.rank,
        relevance.is_relevant,
        relevance.is_judged_if_pooled,
        relevance.support,
        relevance.probability
    from loaded_runs
    inner join {{ ref('int_expected_relevance') }} as relevance using (collection_key, run_key)
    where
        relevance.pool_key = 0
        and relevance.is_relevant is null
    union all by name
    select * from query_table(new_relevance)

),

int_asked_topic_scores as (

    select
        run_id,
        topic_id,
        score
    from query_table(topic_scores)
    where measure = asked

),

{{ steps(['int_asked_expected_pairs'], given, stored) }},

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
