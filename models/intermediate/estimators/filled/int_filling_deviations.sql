{{ config(materialized='table') }}

with

{{ imports(gains='int_filled_gains') }},

-- one row per pool, level, contributor, author and measure with an unjudged document: means over its runs of the
-- unjudged weight, and of what the labels miss of the gain by the judgements
deviations as (

    select
        collection_key,
        pool_key,
        level,
        contributor_key,
        author_key,
        measure,
        avg(unjudged_weight) as unjudged_weight,
        avg(true_gain - filled_gain) as missed_gain,
        avg(pow(true_gain - filled_gain, 2) / unjudged_weight) as squared_gain
    from gains
    where true_gain is not null
    group by all

)

select * from deviations
