with

{{ imports('int_collections', 'int_runs', deltas='int_topic_deltas') }},

named as (

    select
        collections.collection_id,
        runs.run_id,
        deltas.level,
        deltas.measure,
        deltas.n_common_topics as n_topics,
        deltas.adjustment as mean_delta,
        deltas.delta_variance,
        deltas.true_variance,
        deltas.mean_residual,
        deltas.ratio_variance,
        deltas.regression_variance
    from deltas
    inner join collections on deltas.collection_key = collections.collection_key
    inner join runs on deltas.run_key = runs.run_key

)

select * from named
