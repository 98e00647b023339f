{#-
    Rows that depend on this model are rebuilt where a row changes. The confidence of the depth changes with every
    run, and is therefore not here.
-#}
{{ config(materialized='table', meta={'rule': 'pool'}) }}

with

{{ imports('int_collections', 'int_inferred_depths', 'int_own_depths', voters='int_depth_voters') }},

-- one row per collection with runs: whether the descriptions say which runs were pooled, and of all of these how deep
declarations as (

    select
        collection_key,
        any_value(has_declared_runs) as has_declared_runs,
        bool_or(has_vote) and not bool_or(may_have_own_depth) as has_declared_depths
    from voters
    group by collection_key

),

-- one row per collection with runs that were pooled to depths of their own: the median, which is one of these depths.
-- They are inferred where any of them is not declared.
own as (

    select
        collection_key,
        quantile_disc(pool_depth, 0.5) as median_depth,
        min(pool_depth) as least_depth,
        max(pool_depth) as greatest_depth,
        not bool_and(is_declared) as is_inferred,
        median(confidence) as confidence
    from own_depths
    group by collection_key

),

-- one row per collection with runs. Where own depths are inferred, or all are declared, the runs have none in common.
-- Where neither most runs alone nor all runs together show a depth, own depths are not inferred: a few runs show one by
-- chance.
known as (

    select
        collections.collection_key,
        declarations.has_declared_runs,
        collections.declared_pool_depth,
        coalesce(
            own.is_inferred and coalesce(own.median_depth, inferred_depths.inferred_depth) is not null, false
        ) as is_own_inferred,
        case
            when own.median_depth is not null and declarations.has_declared_depths then null
            when not is_own_inferred then inferred_depths.inferred_depth
        end as common_depth,
        own.median_depth,
        own.least_depth,
        own.greatest_depth,
        own.confidence
    from collections
    inner join declarations using (collection_key)
    left join inferred_depths using (collection_key)
    left join own using (collection_key)

),

depths as (

    select
        collection_key,
        has_declared_runs,
        cast(coalesce(declared_pool_depth, common_depth, median_depth) as integer) as pool_depth,
        case
            when declared_pool_depth is not null then 'declared'
            when common_depth is not null then 'inferred'
            when median_depth is null then 'unknown'
            when is_own_inferred then 'inferred'
            else 'declared'
        end as pool_depth_source,
        least_depth as least_own_depth,
        greatest_depth as greatest_own_depth,
        is_own_inferred,
        confidence as own_depth_confidence
    from known

)

select * from depths
