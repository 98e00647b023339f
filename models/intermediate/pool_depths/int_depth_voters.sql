with

{{ imports('int_runs', 'int_collections') }},

-- one row per run, and whether the descriptions say of any run of its collection whether it was pooled
declared as (

    select
        collection_key,
        run_key,
        is_declared_pooled,
        declared_pool_depth,
        is_after_pool,
        count(is_declared_pooled) over (partition by collection_key) > 0 as has_declared_runs
    from runs

),

-- one row per run: whether it has a vote. Where runs are declared, the runs declared as pooled have one. Otherwise
-- all runs have one, except those that were made when the pool was already judged.
voters as (

    select
        declared.collection_key,
        declared.run_key,
        declared.has_declared_runs,
        case
            when declared.has_declared_runs then coalesce(declared.is_declared_pooled, false)
            else declared.is_after_pool is not true
        end as has_vote,
        -- a run that is declared as pooled may have a depth of its own, unless a depth is declared too
        coalesce(declared.is_declared_pooled, false)
        and coalesce(declared.declared_pool_depth, collections.declared_pool_depth) is null as may_have_own_depth
    from declared
    inner join collections using (collection_key)

)

select * from voters
