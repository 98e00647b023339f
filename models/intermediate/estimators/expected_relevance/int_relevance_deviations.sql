{{ config(materialized='table') }}

with

{{ imports(gains='int_expected_gains') }},

-- one row per pool, organization and measure of whose runs a document is unjudged: how far the gains of its runs are
-- from the expected ones, squared, and how far they would be if documents were independent
deviations as (

    select
        collection_key,
        pool_key,
        organization_key,
        measure,
        avg(pow(true_gain - expected_gain, 2)) as squared_error,
        avg(variance) as variance
    from gains
    where true_gain is not null
    group by all

)

select * from deviations
