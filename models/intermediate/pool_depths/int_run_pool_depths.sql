with

{{ imports('int_runs', 'int_pool_depths where pool_depth is not null', 'int_own_depths') }},

-- one row per run of a collection with a pool depth: its own depth, or the depth of the collection. A pooled run whose
-- own depth the qrels do not show, where those of other runs are shown, has none.
run_pool_depths as (

    select
        runs.collection_key,
        runs.run_key,
        case when own_depths.run_key is null then pool_depths.pool_depth else own_depths.pool_depth end as pool_depth
    from runs
    inner join pool_depths using (collection_key)
    left join own_depths using (run_key)

)

select * from run_pool_depths
where pool_depth is not null
