-- One row per portion: collections with at most $most run lines together, or a larger collection alone.
with

sizes as (
    select
        collection_key,
        sum(n_rows) as n_rows
    from ops.files
    where
        kind = 'run'
        and list_contains($keys, collection_key)
    group by collection_key
),

placed as (
    select
        collections.collection_key,
        sum(coalesce(sizes.n_rows, 0)) over (order by collections.collection_key) - coalesce(sizes.n_rows, 0) as n_before
    from raw.collections as collections
    left join sizes using (collection_key)
    where list_contains($keys, collections.collection_key)
)

select list(collection_key)
from placed
group by n_before // $most
order by n_before // $most
