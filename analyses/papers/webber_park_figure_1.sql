-- question: How large is the bias of a run outside the pool?
-- about: papers
--
-- Figure 1 of Webber and Park 2009 (poolhouse experiment bias): a row per
-- collection, population, width, treatment of unjudged documents and measure.
-- The bias is the unpooled minus the true score, below 0 where the score of the
-- run is too low; its mean, quartiles and median are over the samples. By the
-- paper, ratio_to_half_width is about 0.5 where unjudged documents count as not
-- relevant. It is null where half the width was not sampled.
with

estimates as (

    select * from {{ ref('fct_experiment_estimates') }}
    where
        experiment = 'bias'
        and estimator = 'unadjusted'

),

-- one row per population, width, treatment and measure: the bias of a run that is not in the pool
biases as (

    select
        collection_id,
        population,
        width,
        unjudged,
        measure,
        cast(count(*) as integer) as n_samples,
        avg(error) as mean_bias,
        quantile_cont(error, 0.25) as lower_quartile,
        quantile_cont(error, 0.5) as median_bias,
        quantile_cont(error, 0.75) as upper_quartile
    from estimates
    group by all

),

-- the same rows with the ratio of the bias at this width to the bias at half the width
compared as (

    select
        biases.*,
        biases.mean_bias / nullif(narrower.mean_bias, 0) as ratio_to_half_width
    from biases
    left join biases as narrower
        on
            biases.collection_id = narrower.collection_id
            and biases.population = narrower.population
            and biases.unjudged = narrower.unjudged
            and biases.measure = narrower.measure
            and biases.width = 2 * narrower.width

)

select * from compared
