with

{{ imports('int_runs', 'int_missing_runs', 'int_collections', 'int_listed_pools') }},

-- one row per run: whether it is said to be pooled, by the lists that were made of its pool, or else by the descriptions
said as (

    select
        runs.* exclude (is_declared_pooled),
        listed_pools.collection_key is not null as is_of_lists,
        case
            when is_of_lists then list_contains(listed_pools.run_ids, runs.run_id)
            else runs.is_declared_pooled
        end as is_declared_pooled
    from runs
    left join listed_pools using (collection_key)

),

-- one row per collection with a run, loaded or not, that is said to be pooled: the whole pool is named
declared_pools as (

    select collection_key from said
    where is_declared_pooled
    union distinct
    select collection_key from missing_runs
    where is_declared_pooled

),

-- one row per run: whether it has a vote. Where runs are declared as pooled, these have one. Otherwise all runs have
-- one, except those that are declared as not pooled or were made when the pool was already judged.
voters as (

    select
        said.collection_key,
        said.run_key,
        said.is_declared_pooled,
        declared_pools.collection_key is not null as has_declared_runs,
        case
            when has_declared_runs then coalesce(said.is_declared_pooled, false)
            else said.is_declared_pooled is not false and said.is_after_pool is not true
        end as has_vote,
        -- a run that is declared as pooled may have a depth of its own, unless a depth is declared too
        coalesce(said.is_declared_pooled, false)
        and not said.is_of_lists
        and coalesce(said.declared_pool_depth, collections.declared_pool_depth) is null as may_have_own_depth
    from said
    inner join collections using (collection_key)
    left join declared_pools using (collection_key)

)

select * from voters
