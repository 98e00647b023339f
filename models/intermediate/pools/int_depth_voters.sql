with

runs as (

    select * from {{ ref('int_runs') }}

),

-- one row per run, and whether the descriptions say of any run of its collection whether it was pooled
declared as (

    select
        collection_key,
        run_key,
        is_declared_pooled,
        is_after_pool,
        count(is_declared_pooled) over (partition by collection_key) > 0 as has_declared_runs
    from runs

),

-- one row per run: whether it has a vote. Where runs are declared, the runs declared as pooled have one. Otherwise
-- all runs have one, except those that were made when the pool was already judged.
voters as (

    select
        collection_key,
        run_key,
        has_declared_runs,
        case
            when has_declared_runs then coalesce(is_declared_pooled, false)
            else is_after_pool is not true
        end as has_vote
    from declared

)

select * from voters
