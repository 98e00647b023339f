{{ config(materialized='table') }}

with

{{ imports('stg_runs', 'int_organizations') }},

-- the runs at the time of the build
named as (

    select
        runs.collection_key,
        runs.run_key,
        runs.run_id,
        organizations.organization_key,
        runs.organization,
        runs.run_type,
        runs.is_declared_pooled,
        runs.declared_pool_depth,
        runs.is_after_pool,
        runs.sha256
    from runs
    inner join organizations
        on
            runs.collection_key = organizations.collection_key
            and runs.organization = organizations.organization

)

select * from named
