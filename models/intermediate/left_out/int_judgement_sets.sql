{{ config(materialized='table') }}

with

{{ imports('int_runs', 'int_left_out', 'int_topic_pools') }},

pooled_runs as (

    select * from {{ ref('int_pooled_runs') }}
    where {{ is_at_hand() }}

),

-- one row per run and judgement set without some judgements: what is left out of the pool when this run is scored.
-- A run that was not pooled contributed nothing, but its organization may have other runs that were pooled.
leaving as (

    select
        runs.collection_key,
        runs.run_key,
        unnest(['without_run', 'without_organization', 'without_unique_relevant']) as judgement_set,
        unnest([
            {{ left_out_key('run', 'pooled_runs.run_key') }},
            {{ left_out_key('organization', 'pooled_runs.organization_key') }},
            {{ left_out_key('relevant', 'runs.organization_key') }}
        ]) as left_out_key
    from runs
    left join pooled_runs using (run_key)

),

-- one row per run, pooled topic and judgement set: what is left out, where the topic loses a document by it, and
-- otherwise nothing, as in the full qrels
lost as (

    select
        leaving.collection_key,
        leaving.run_key,
        topic_pools.topic_key,
        leaving.judgement_set,
        coalesce(left_out.left_out_key, 0) as left_out_key
    from leaving
    inner join topic_pools using (collection_key)
    left join left_out using (collection_key, topic_key, left_out_key)
    where {{ is_pooled_topic('topic_pools') }}

)

select * from lost
