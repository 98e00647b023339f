{{ config(materialized='table') }}

with

{{ imports(gains='int_expected_gains') }},

-- the candidates of which documents are unjudged
measured as (

    select * from gains
    where true_gain is not null

),

-- one row per pool, organization and measure: the mean unjudged weight of its runs
organizations as (

    select
        collection_key,
        pool_key,
        organization_key,
        measure,
        avg(unjudged_weight) as unjudged_weight
    from measured
    group by all

),

-- one row per pool and measure: the mean of organizations, so that none counts more than another
means as (

    select
        collection_key,
        pool_key,
        measure,
        {{ comparable('avg(unjudged_weight)') }} as mean_unjudged_weight
    from organizations
    group by all

),

-- one row per pool, organization and measure: how far the gains of its runs are from the expected ones, squared, and
-- how far they would be if documents were independent, and more so the further a run is from the pool
deviations as (

    select
        measured.collection_key,
        measured.pool_key,
        measured.organization_key,
        measured.measure,
        means.mean_unjudged_weight,
        avg(pow(measured.true_gain - measured.expected_gain, 2)) as squared_error,
        avg(measured.variance * {{ distance_from_pool('measured.unjudged_weight', 'means.mean_unjudged_weight') }})
            as variance
    from measured
    inner join means using (collection_key, pool_key, measure)
    group by all

)

select * from deviations
