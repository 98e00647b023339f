-- The best run of each of the two best organizations: two rows a collection, or fewer if there are fewer organizations.
with

-- one row per organization
best as (

    select
        collection_id,
        run_id,
        rank
    from leaderboard
    where
        list_contains($collections, collection_id)
        and rank is not null
    qualify row_number() over (partition by collection_id, organization order by rank, run_id) = 1

)

select
    collection_id,
    run_id
from best
qualify row_number() over (partition by collection_id order by rank, run_id) <= 2
order by
    rank,
    run_id
