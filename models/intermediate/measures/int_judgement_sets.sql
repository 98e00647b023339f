with

runs as (

    select * from {{ ref('int_runs') }}

),

pooled_runs as (

    select * from {{ ref('int_pooled_runs') }}

),

judgement_sets as (

    select * from (values ('full'), ('without_run'), ('without_organization')) as listed (judgement_set)

),

-- one row per run and judgement set: what is left out of the pool when this run is scored; a run
-- that was not pooled contributed nothing, so that nothing is left out
left_out as (

    select
        runs.collection_key,
        runs.run_key,
        judgement_sets.judgement_set,
        case when judgement_sets.judgement_set = 'without_run' then pooled_runs.run_key end
            as left_out_run_key,
        case when judgement_sets.judgement_set = 'without_organization' then pooled_runs.organization_key end
            as left_out_organization_key
    from runs
    cross join judgement_sets
    left join pooled_runs on runs.run_key = pooled_runs.run_key

)

select * from left_out
