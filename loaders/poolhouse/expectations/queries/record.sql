-- Each result with the checked version of its collection. This version is kept in the history if a load, build or
-- removal happened in between; where it is not there, another warehouse has replaced the file.
insert into ops.quality_results by name
with

results as (
    select unnest($results, max_depth := 2)
),

checked as (
    select unnest($checked, max_depth := 2)
)

select
    checked.*,
    results.* exclude (collection_id)
from results
inner join checked using (collection_id)
semi join ops.load_history using (collection_key, collection_id, load_key)
