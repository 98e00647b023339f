{#-
    Rows that depend on this model are rebuilt where a row changes. The confidence of the depth changes with every
    run, and is therefore not here.
-#}
{{ config(materialized='table', meta={'rule': 'pool'}) }}

with

{{ imports(
    'int_collections', 'int_judged_topics', 'int_inferred_depths', 'int_own_depths', 'int_topic_pools', 'int_listed_pools',
    voters='int_depth_voters'
) }},

-- one row per judged collection: what its judgements show of the kind of judging
judgement_counts as (

    select
        collection_key,
        sum(n_judged) as n_judged,
        sum(n_relevant) as n_relevant,
        median(n_relevant) filter (where n_relevant > 0) as median_relevant
    from judged_topics
    group by collection_key

),

-- one row per collection with runs: whether the descriptions say which runs were pooled, and of all of these how deep
declarations as (

    select
        collection_key,
        any_value(has_declared_runs) as has_declared_runs,
        bool_or(has_vote) and not bool_or(may_have_own_depth) as has_declared_depths
    from voters
    group by collection_key

),

-- one row per collection whose topics declare the depth of its main pool
declared_topics as (

    select
        collection_key,
        any_value(pool_depth) as depth
    from topic_pools
    where
        is_of_main_pool
        and source = 'declared'
        and confidence is null
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
        collections.is_judged,
        collections.declared_judging,
        listed_pools.pool_depth as listed_depth,
        declarations.has_declared_runs,
        coalesce(declared_topics.depth, collections.declared_pool_depth) as declared_pool_depth,
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
    left join declared_topics using (collection_key)
    left join inferred_depths using (collection_key)
    left join own using (collection_key)
    left join listed_pools using (collection_key)

),

-- the same rows with the depth that is declared or shown, and how the collection was judged
depths as (

    select
        known.*,
        cast(
            coalesce(known.listed_depth, known.declared_pool_depth, known.common_depth, known.median_depth) as integer
        ) as depth,
        case
            when known.is_judged
                then
                    coalesce(
                        known.declared_judging,
                        if(known.listed_depth > 0, 'pooled', null),
                        {{ inferred_judging('judgement_counts', 'depth') }}
                    )
        end as judging
    from known
    left join judgement_counts using (collection_key)

),

-- the same rows: a collection that was not pooled has no depth
pools as (

    select
        collection_key,
        judging,
        declared_judging is not null as is_judging_declared,
        has_declared_runs,
        case when judging is null or judging in ('pooled', 'unknown') then depth end as pool_depth,
        case
            when pool_depth is null then 'unknown'
            when listed_depth is not null then 'recorded'
            when declared_pool_depth is not null then 'declared'
            when common_depth is not null then 'inferred'
            when is_own_inferred then 'inferred'
            else 'declared'
        end as pool_depth_source,
        least_depth as least_own_depth,
        greatest_depth as greatest_own_depth,
        is_own_inferred,
        confidence as own_depth_confidence
    from depths

)

select * from pools
