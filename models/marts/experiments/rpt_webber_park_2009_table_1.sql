with

estimates as (

    select * from {{ ref('fct_experiment_estimates') }}
    where experiment = 'systems'

),

-- one row per population, width, measure and estimator
errors as (

    select
        collection_id,
        population,
        width,
        unjudged,
        measure,
        estimator,
        cast(count(*) as integer) as n_samples,
        avg(abs(error)) as mae,
        stddev_samp(abs(error)) / sqrt(count(*)) as mae_standard_error,
        avg(error) as mean_error,
        stddev_samp(error) / sqrt(count(*)) as standard_error
    from estimates
    group by all

)

select * from errors
