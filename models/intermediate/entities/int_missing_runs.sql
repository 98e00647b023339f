{{ config(materialized='table') }}

with

{{ imports('stg_runs', descriptions='raw.descriptions') }},

-- the tasks of the loaded runs, where their descriptions name one
tasks as (

    select distinct
        descriptions.collection_key,
        descriptions.task
    from descriptions
    semi join runs using (collection_key, run_id)
    where descriptions.task is not null

),

-- described runs of these tasks that are not loaded, unless they are declared as not pooled
missing as (

    select
        descriptions.collection_key,
        descriptions.run_id,
        descriptions.is_pooled as is_declared_pooled
    from descriptions
    anti join runs using (collection_key, run_id)
    left join tasks using (collection_key, task)
    where
        descriptions.is_pooled is not false
        and (descriptions.task is null or tasks.task is not null)

)

select * from missing
