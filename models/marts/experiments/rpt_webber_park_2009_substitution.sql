with

estimates as (

    select * from {{ ref('fct_experiment_estimates') }}
    where experiment = 'systems'

),

-- one row per sample and measure: what the estimate grows by where the new run does not take the place
-- of the withdrawn one
differences as (

    select
        without.collection_id,
        without.population,
        without.width,
        without.measure,
        without.estimate - substituted.estimate as difference
    from estimates as without
    inner join estimates as substituted
        on
            without.collection_id = substituted.collection_id
            and without.population = substituted.population
            and without.width = substituted.width
            and without.sample = substituted.sample
            and without.unjudged = substituted.unjudged
            and without.measure = substituted.measure
    where
        without.estimator = 'webber_park_systems_no_substitution'
        and substituted.estimator = 'webber_park_systems'

),

-- one row per population, width and measure
overestimation as (

    select
        collection_id,
        population,
        width,
        measure,
        cast(count(*) as integer) as n_samples,
        avg(difference) as mean_difference,
        stddev_samp(difference) / sqrt(count(*)) as standard_error
    from differences
    group by
        collection_id,
        population,
        width,
        measure

)

select * from overestimation
