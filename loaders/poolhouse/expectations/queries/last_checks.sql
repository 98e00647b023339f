-- One row per result of the last check of each collection.
select
    results.* exclude (load_key, fingerprint),
    results.fingerprint = loaded.fingerprint
    and coalesce(builds.built_at, results.checked_at) <= results.checked_at as is_current
from fct_quality_results as results
inner join raw.collections as collections
    on results.collection_id = collections.collection_id
inner join ops.collection_fingerprints as loaded
    on collections.collection_key = loaded.collection_key
left join ops.builds as builds
    on collections.collection_key = builds.collection_key
where list_contains($collections, results.collection_id)
qualify results.checked_at = max(results.checked_at) over (partition by results.collection_id)
order by
    results.collection_id,
    results.suite,
    results.subject,
    results.expectation
