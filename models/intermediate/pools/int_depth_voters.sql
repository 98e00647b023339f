with

runs as (

    select * from {{ ref('int_runs') }}

),

-- one row per run, and whether anyone said of any run of its collection whether it was pooled
declared as (

    select
        collection_key,
        run_key,
        is_declared_pooled,
        is_after_pool,
        count(is_declared_pooled) over (partition by collection_key) > 0 as has_declared_runs
    from runs

),

-- one row per run: the declared ones tell how deep the pool was, where there are any, else all but those that
-- came when the pool was judged
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
