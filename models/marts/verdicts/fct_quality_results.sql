with

{{ imports(quality_results='ops.quality_results') }}

select
    collection_id,
    suite,
    subject,
    expectation,
    column_name,
    success,
    observed,
    unexpected_count,
    sample,
    checked_at,
    load_key,
    fingerprint
from quality_results
