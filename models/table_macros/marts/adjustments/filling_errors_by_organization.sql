{{ config(arguments=['collection', 'asked']) }}

with

{{ imports('int_runs') }},

estimates as (

    select * from {{ ref('int_filling_estimates') }}(collection, asked)

),

-- one row per estimator and organization
named as (

    select
        collection as collection_id,
        asked as measure,
        estimates.estimator,
        runs.organization,
        cast(count(*) as integer) as n_runs,
        avg(estimates.unjudged_share) as unjudged_share,
        avg(abs(estimates.error)) as mae,
        avg(estimates.error) as mean_error,
        {{ coverage_columns('estimates') }}
    from estimates
    inner join runs using (run_key)
    group by all

)

select * from named
