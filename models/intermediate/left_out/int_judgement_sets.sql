{{ config(materialized='table') }}

with

{{ imports('int_runs', 'int_left_out', 'int_judged_topics') }},

pooled_runs as (

    select * from {{ ref('int_pooled_runs') }}
    where {{ is_at_hand() }}

),

judgement_sets as (

    select unnest({{ judgement_sets()[1:] }}) as judgement_set

),

-- one row per run and judgement set without some judgements: what is left out of the pool when this run is scored.
-- A run that was not pooled contributed nothing, but its organization may have other runs that were pooled.
leaving as (

    select
        runs.collection_key,
        runs.run_key,
        judgement_sets.judgement_set,
        case when judgement_sets.judgement_set = 'without_run' then pooled_runs.run_key end
            as left_out_run_key,
        case when judgement_sets.judgement_set = 'without_organization' then pooled_runs.organization_key end
            as left_out_organization_key,
        case when judgement_sets.judgement_set = 'without_unique_relevant' then runs.organization_key end
            as left_out_relevant_organization_key
    from runs
    cross join judgement_sets
    left join pooled_runs on runs.run_key = pooled_runs.run_key

),

-- one row per run, judged topic and judgement set: what is left out, where the topic loses a document by it, and
-- otherwise nothing, as in the full qrels
lost as (

    select
        leaving.collection_key,
        leaving.run_key,
        judged_topics.topic_key,
        leaving.judgement_set,
        left_out.left_out_run_key,
        left_out.left_out_organization_key,
        left_out.left_out_relevant_organization_key
    from leaving
    inner join judged_topics on leaving.collection_key = judged_topics.collection_key
    left join left_out
        on
            judged_topics.collection_key = left_out.collection_key
            and judged_topics.topic_key = left_out.topic_key
            and {{ is_same_left_out('leaving', 'left_out') }}

)

select * from lost
