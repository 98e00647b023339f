-- One row per run: its MAP, and the share of unjudged documents among its first ten.
select
    run_id,
    organization,
    case when is_pooled then 'pooled' else 'not pooled' end as runs,
    rank,
    map,
    unjudged_10
from leaderboard
where collection_id = $collection
order by
    rank,
    run_id
