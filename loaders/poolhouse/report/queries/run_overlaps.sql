-- One row per pair of runs: the ten pairs with the most overlap, and the ten pairs with the least overlap.
with

pairs as (

    select
        *,
        row_number() over (order by overlap desc, run_id, other_run_id) as place,
        count(*) over () as n_pairs
    from planning.run_overlaps(
        $collection,
        depths := [(
            select coalesce(pool_depth, 100) from dim_collections
            where collection_id = $collection
        )]
    )
    where
        run_id < other_run_id
        and overlap is not null

)

select
    pairs.place,
    pairs.run_id,
    runs.organization,
    pairs.other_run_id,
    other_runs.organization as other_organization,
    pairs.depth,
    pairs.n_shared,
    pairs.overlap
from pairs
inner join dim_runs as runs
    on
        pairs.collection_id = runs.collection_id
        and pairs.run_id = runs.run_id
inner join dim_runs as other_runs
    on
        pairs.collection_id = other_runs.collection_id
        and pairs.other_run_id = other_runs.run_id
where
    pairs.place <= 10
    or pairs.place > pairs.n_pairs - 10
order by pairs.place
