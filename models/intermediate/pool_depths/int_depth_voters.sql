with

{{ imports('int_runs', 'int_missing_runs', 'int_collections') }},

-- one row per collection with a run, loaded or not, that the descriptions declare as pooled: they name the whole pool
declared_pools as (

    select collection_key from runs
    where is_declared_pooled
    union distinct
    select collection_key from missing_runs
    where is_declared_pooled

),

-- one row per run: whether it has a vote. Where runs are declared as pooled, these have one. Otherwise all runs have
-- one, except those that are declared as not pooled or were made when the pool was already judged.
voters as (

    select
        runs.collection_key,
        runs.run_key,
        declared_pools.collection_key is not null as has_declared_runs,
        case
            when has_declared_runs then coalesce(runs.is_declared_pooled, false)
            else runs.is_declared_pooled is not false and runs.is_after_pool is not true
        end as has_vote,
        -- a run that is declared as pooled may have a depth of its own, unless a depth is declared too
        coalesce(runs.is_declared_pooled, false)
        and coalesce(runs.declared_pool_depth, collections.declared_pool_depth) is null as may_have_own_depth
    from runs
    inner join collections using (collection_key)
    left join declared_pools using (collection_key)

)

select * from voters
