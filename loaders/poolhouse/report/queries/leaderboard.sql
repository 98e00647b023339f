-- One row per run, the best ones first.
select * exclude (collection_id)
from leaderboard
where collection_id = $collection
order by
    rank,
    run_id
