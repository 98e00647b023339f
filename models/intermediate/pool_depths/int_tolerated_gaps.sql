with

{{ imports('int_pool_edges', 'int_run_pool_depths') }},

voters as (

    select * from {{ ref('int_depth_voters') }}
    where has_vote

),

-- one row per run that has a vote: its documents down to the pool depth
within as (

    select
        pool_edges.collection_key,
        pool_edges.run_key,
        sum(pool_edges.n_within) as n_within,
        sum(pool_edges.n_within_in_qrels) as n_within_in_qrels
    from pool_edges
    inner join voters on pool_edges.run_key = voters.run_key
    group by all

),

-- one row per collection: the share that the qrels lack, by chance, of the median run that looks pooled. As many
-- runs lack more than the median run; one document is added to its gaps.
missing as (

    select
        collection_key,
        median((n_within - n_within_in_qrels + 1) / (n_within + 1)) as missing_share
    from within
    where {{ is_judged_enough('n_within_in_qrels', 'n_within') }}
    group by collection_key

),

-- one row per run with a pool depth
tolerated as (

    select
        run_pool_depths.run_key,
        coalesce(missing.missing_share, 0) as missing_share,
        {{ tolerated_gaps('run_pool_depths.pool_depth', 'coalesce(missing.missing_share, 0)') }} as n_tolerated_gaps
    from run_pool_depths
    left join missing on run_pool_depths.collection_key = missing.collection_key

)

select * from tolerated
