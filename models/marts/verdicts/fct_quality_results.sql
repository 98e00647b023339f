with

{{ imports(quality_results='ops.quality_results') }}

select
    collection_id,
    suite,
    subject,
    expectation,
    figure,
    severity,
    success,
    observed,
    unexpected_count,
    sample,
    meaning,
    advice,
    checked_at,
    load_key,
    fingerprint
from quality_results
