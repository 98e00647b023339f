with

{{ imports('int_collections', pools='experiments.pools') }},

named as (

    select
        collections.collection_id,
        pools.strategy,
        pools.budget,
        pools.measure,
        pools.n_documents,
        pools.n_judged,
        pools.n_documents - pools.n_judged as n_unknown,
        pools.n_relevant,
        pools.n_relevant / nullif(pools.n_relevant_of_all, 0) as share_of_relevant,
        pools.kendall_tau,
        pools.rbo,
        pools.mean_score,
        pools.mean_residual,
        pools.unjudged_10,
        pools.unjudged_10_left_out,
        pools.seconds
    from pools
    inner join collections using (collection_key)

)

select * from named
