with

estimator_errors as (

    select * from {{ ref('int_estimator_errors') }}

),

collections as (

    select * from {{ ref('int_collections') }}

),

named as (

    select
        collections.collection_id,
        estimator_errors.level,
        estimator_errors.subset,
        estimator_errors.measure,
        'nonrelevant' as unjudged,
        estimator_errors.estimator,
        estimator_errors.n_runs,
        estimator_errors.mae,
        estimator_errors.sre,
        -- needs Tukey's HSD, which is not computed yet
        cast(null as integer) as sre_star,
        estimator_errors.kendall_tau
    from estimator_errors
    inner join collections on estimator_errors.collection_key = collections.collection_key

)

select * from named
