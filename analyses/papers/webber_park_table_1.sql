-- question: How large are errors of inference from systems?
-- about: papers
--
-- Table 1 of Webber and Park 2009 (poolhouse experiment systems), which has
-- nonrelevant alone: a row per collection, population, width, treatment of
-- unjudged documents, measure and estimator. mae is the mean absolute error
-- over the samples; standard_error is of mean_error.
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
