with

collections as (

    select * from {{ ref('int_collections') }}

),

runs as (

    select * from {{ ref('int_runs') }}

),

pooled_runs as (

    select * from {{ ref('int_pooled_runs') }}

),

-- one row per collection and organization
counted as (

    select
        collections.collection_id,
        runs.organization,
        cast(count(*) as integer) as n_runs,
        cast(count(pooled_runs.run_key) as integer) as n_pooled_runs,
        case when count(pooled_runs.run_key) > 0 then count(pooled_runs.run_key) > 1 end
            as has_several_pooled_runs
    from runs
    inner join collections on runs.collection_key = collections.collection_key
    left join pooled_runs on runs.run_key = pooled_runs.run_key
    group by
        collections.collection_id,
        runs.organization

)

select * from counted
