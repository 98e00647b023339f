-- One row per run, the best ones first.
select *
from leaderboard
where list_contains($collections, collection_id)
order by
    rank,
    run_id
