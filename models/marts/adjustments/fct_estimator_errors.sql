with

{{ imports('int_estimator_errors', 'int_collections', 'int_pool_measures') }},

named as (

    select
        collections.collection_id,
        estimator_errors.level,
        pool_measures.subset,
        estimator_errors.measure,
        estimator_errors.unjudged,
        estimator_errors.estimator,
        estimator_errors.n_runs,
        estimator_errors.mae,
        estimator_errors.mae_standard_error,
        estimator_errors.mean_error,
        estimator_errors.sre,
        estimator_errors.kendall_tau,
        estimator_errors.clipped_mae,
        estimator_errors.clipped_mae_standard_error,
        estimator_errors.clipped_sre,
        estimator_errors.clipped_kendall_tau,
        estimator_errors.n_intervals,
        estimator_errors.coverage_68,
        estimator_errors.coverage_95
    from estimator_errors
    inner join pool_measures using (pool_key, measure)
    inner join collections using (collection_key)

)

select * from named
