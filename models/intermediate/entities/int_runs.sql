{{ config(materialized='table') }}

with

{{ imports('stg_runs') }},

-- the runs at the time of the build. The key of an organization is that of its first run, and does not change when
-- runs are added.
keyed as (

    select
        collection_key,
        run_key,
        run_id,
        min(run_key) over (partition by collection_key, organization) as organization_key,
        organization,
        run_type,
        is_declared_pooled,
        declared_pool_depth,
        is_after_pool,
        sha256,
        run_description,
        task,
        n_documents_left_out
    from runs

)

select * from keyed
