with

{{ imports('int_rank_steps', 'int_pool_depths', 'int_pooled_runs') }},

-- one row per rank down to twice the pool depth, for pooled runs and for other runs
ranks as (

    select
        rank_steps.collection_key,
        pooled_runs.run_key is not null as is_pooled,
        rank_steps.pooling_rank,
        pool_depths.pool_depth,
        cast(sum(rank_steps.n_documents) as bigint) as n_documents,
        cast(sum(rank_steps.n_in_qrels) as bigint) as n_in_qrels
    from rank_steps
    inner join pool_depths
        on
            rank_steps.collection_key = pool_depths.collection_key
            and {{ is_around_pool_depth('rank_steps.pooling_rank', 'pool_depths.pool_depth') }}
    left join pooled_runs on rank_steps.run_key = pooled_runs.run_key
    group by all

)

select * from ranks
