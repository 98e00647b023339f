-- One row per run: its MAP, and the share of unjudged documents among its first ten.
select
    run_id,
    organization,
    case is_pooled when true then 'pooled' when false then 'not pooled' else 'not known' end as runs,
    rank,
    map,
    unjudged_10
from leaderboard
where collection_id = $collection
order by
    rank,
    run_id
