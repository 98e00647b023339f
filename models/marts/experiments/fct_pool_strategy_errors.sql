with

{{ imports('int_collections', pool_errors='experiments.pool_errors') }},

named as (

    select
        collections.collection_id,
        pool_errors.strategy,
        pool_errors.budget,
        pool_errors.level,
        pool_errors.unjudged,
        pool_errors.measure,
        pool_errors.estimator,
        pool_errors.n_runs,
        pool_errors.mean_error,
        pool_errors.mae,
        pool_errors.largest_error
    from pool_errors
    inner join collections using (collection_key)

)

select * from named
