with

runs as (

    select * from {{ source('raw', 'runs') }}

),

descriptions as (

    select * from {{ source('raw', 'descriptions') }}

),

run_files as (

    select * from {{ source('ops', 'files') }}
    where kind = 'run'

)

select
    runs.collection_key,
    runs.run_key,
    runs.run_id,
    -- A run that nothing describes is an organization of its own.
    coalesce(descriptions.organization, runs.organization, runs.run_id) as organization,
    coalesce(descriptions.run_type, runs.run_type) as run_type,
    descriptions.is_pooled as is_declared_pooled,
    descriptions.pool_depth as declared_pool_depth,
    coalesce(descriptions.description, runs.description) as run_description,
    descriptions.task,
    runs.is_after_pool,
    runs.n_documents_left_out,
    run_files.sha256,
    run_files.n_duplicates
from runs
left join descriptions using (collection_key, run_id)
left join run_files
    on
        runs.collection_key = run_files.collection_key
        and runs.run_id = run_files.name
