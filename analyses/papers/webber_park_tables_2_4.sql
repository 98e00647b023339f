-- question: How large are the errors of inference from topics?
-- about: papers
--
-- Tables 2 to 4 of Webber and Park 2009 (poolhouse experiment topics): a row
-- per table, collection, width, measure, number of common topics and
-- estimator. Table 2 is of the random population, table 3 is the same with
-- condensed lists, and table 4 is of manual runs and pools of automatic runs.
-- webber_park_errors has more estimators.
with

-- one row per table of the paper
tables as (

    select *
    from (values (2, 'random', 'nonrelevant'), (3, 'random', 'condensed'), (4, 'manual', 'nonrelevant'))
        as listed (table_number, population, unjudged)

),

errors as (

    select * from {{ ref('fct_experiment_topic_errors') }}
    -- the other estimators are not in the paper
    where estimator in ('unadjusted', 'mixed', 'sampled', 'webber_park_topics')

),

-- means over the samples of runs
tabled as (

    select
        tables.table_number,
        errors.collection_id,
        errors.width,
        errors.measure,
        errors.n_common_topics,
        errors.estimator,
        cast(count(*) as integer) as n_samples,
        avg(errors.mean_absolute_error) as mae,
        stddev_samp(errors.mean_absolute_error) / sqrt(count(*)) as mae_standard_error
    from errors
    inner join tables
        on
            errors.population = tables.population
            and errors.unjudged = tables.unjudged
    group by all

)

select * from tabled
