with

runs as (

    select * from {{ source('raw', 'runs') }}

),

descriptions as (

    select * from {{ source('raw', 'descriptions') }}

)

select
    runs.collection_key,
    runs.run_key,
    runs.run_id,
    -- A run that nobody described is an organization of its own.
    coalesce(descriptions.organization, runs.run_id) as organization,
    descriptions.run_type,
    descriptions.is_pooled as is_declared_pooled
from runs
left join descriptions
    on
        runs.collection_key = descriptions.collection_key
        and runs.run_id = descriptions.run_id
