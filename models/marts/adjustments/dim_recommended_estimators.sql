with

{{ imports(
    'int_recommended_estimators', 'int_collections', 'int_measures', 'int_pool_depths',
    'int_pool_measures where pool_key = 0'
) }},

named as (

    select
        collections.collection_id,
        recommended_estimators.measure,
        measures.trec_eval_name,
        recommended_estimators.estimator,
        recommended_estimators.mae,
        recommended_estimators.unadjusted_mae,
        cast(recommended_estimators.n_runs as integer) as n_runs,
        cast(recommended_estimators.n_organizations as integer) as n_organizations,
        cast(recommended_estimators.n_topics as integer) as n_topics,
        recommended_estimators.mean_residual,
        recommended_estimators.largest_residual,
        recommended_estimators.largest_residual_if_judged,
        pool_depths.pool_depth,
        pool_measures.cutoff > pool_depths.pool_depth as beyond_pool_depth
    from recommended_estimators
    inner join collections using (collection_key)
    inner join measures using (measure)
    inner join pool_measures using (measure)
    inner join pool_depths using (collection_key)

)

select * from named
