with

{{ imports('int_rank_steps', 'int_pool_depths', 'int_pooled_runs', 'int_collections') }},

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
    left join pooled_runs using (run_key)
    group by all

),

named as (

    select
        collections.collection_id,
        ranks.is_pooled,
        ranks.pooling_rank,
        ranks.pooling_rank <= ranks.pool_depth as is_within_pool_depth,
        ranks.n_documents,
        ranks.n_in_qrels,
        cast(ranks.n_in_qrels / ranks.n_documents as double) as in_qrels_share
    from ranks
    inner join collections using (collection_key)

)

select * from named
