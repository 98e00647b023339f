-- The best run of each of the two best organizations: two rows, or fewer if there are fewer organizations.
select run_id
from leaderboard
where
    collection_id = $collection
    and rank is not null
qualify row_number() over (partition by organization order by rank, run_id) = 1
order by
    rank,
    run_id
limit 2
