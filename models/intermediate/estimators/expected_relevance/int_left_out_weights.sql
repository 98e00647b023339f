{{ config(materialized='table') }}

with

{{ imports(gains="int_expected_gains where target = 'if_pooled'") }},

-- one row per pool, organization and measure: the mean weight that is unjudged when one of its runs, and the
-- organization, have left the pool. The candidates outside of the pool have no judgements.
organizations as (

    select
        collection_key,
        pool_key,
        organization_key,
        measure,
        avg(unjudged_weight) as unjudged_weight
    from gains
    where true_gain is not null
    group by all

)

select * from organizations
