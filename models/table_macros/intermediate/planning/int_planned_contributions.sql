{{ config(arguments=['collection', 'depths', 'of_runs', 'is_of_every_run']) }}

with

{{ imports('int_rankings') }},

planned_runs as (

    select * from {{ ref('int_planned_runs') }}(collection, of_runs, is_of_every_run)

),

{{ asked_of_plan() }},

-- one row per run, topic and document that the run contributes to the deepest pool, with the shallowest pool to
-- which the run contributes it
contributions as (

    select
        rankings.topic_key,
        rankings.doc_key,
        rankings.run_key,
        planned_runs.organization_key,
        asked_depths.depth as from_depth
    from planned_runs
    inner join rankings using (collection_key, run_key)
    inner join asked_topics using (collection_key, topic_key)
    inner join asked_depths
        on
            {{ is_contribution('rankings.pooling_rank', 'asked_depths.depth') }}
            and not {{ is_contribution('rankings.pooling_rank', 'asked_depths.shallower_depth') }}
    -- known before a row is read, so that most rows need not be joined
    where {{ is_contribution('rankings.pooling_rank', 'list_max(cast(depths as bigint []))') }}

)

select * from contributions
