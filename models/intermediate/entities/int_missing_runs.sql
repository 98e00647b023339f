{{ config(materialized='table') }}

with

{{ imports('stg_runs', descriptions='raw.descriptions') }},

-- described runs that are not loaded, unless they are declared as not pooled
missing as (

    select
        collection_key,
        run_id,
        is_pooled as is_declared_pooled
    from descriptions
    anti join runs using (collection_key, run_id)
    where is_pooled is not false

)

select * from missing
