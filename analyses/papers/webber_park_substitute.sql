-- question: What if the new run takes no other run's place?
-- about: papers
--
-- Section 3.1 of Webber and Park 2009 (poolhouse experiment systems): a row per
-- collection, population, width, treatment of unjudged documents and measure.
-- mean_difference is the mean over the samples of the estimate without the
-- substitution minus the estimate with it, and standard_error is its own. It is
-- below 0 only where unjudged documents are condensed.
with

estimates as (

    select * from {{ ref('fct_experiment_estimates') }}
    where experiment = 'systems'

),

-- one row per sample, treatment and measure: the increase of the estimate where the new run does not take the
-- place of the withdrawn one
differences as (

    select
        unsubstituted.collection_id,
        unsubstituted.population,
        unsubstituted.width,
        unsubstituted.unjudged,
        unsubstituted.measure,
        unsubstituted.estimate - substituted.estimate as difference
    from estimates as unsubstituted
    inner join estimates as substituted
        on
            unsubstituted.collection_id = substituted.collection_id
            and unsubstituted.population = substituted.population
            and unsubstituted.width = substituted.width
            and unsubstituted.sample = substituted.sample
            and unsubstituted.unjudged = substituted.unjudged
            and unsubstituted.measure = substituted.measure
    where
        unsubstituted.estimator = 'webber_park_systems_no_substitution'
        and substituted.estimator = 'webber_park_systems'

),

-- one row per population, width, treatment and measure
overestimation as (

    select
        collection_id,
        population,
        width,
        unjudged,
        measure,
        cast(count(*) as integer) as n_samples,
        avg(difference) as mean_difference,
        stddev_samp(difference) / sqrt(count(*)) as standard_error
    from differences
    group by all

)

select * from overestimation
