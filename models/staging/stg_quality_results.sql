with

quality_results as (

    select * from {{ source('ops', 'quality_results') }}

)

select
    collection_key,
    collection_id,
    suite,
    subject,
    expectation,
    column_name,
    success,
    observed,
    unexpected_count,
    sample,
    load_key,
    fingerprint,
    checked_at
from quality_results
