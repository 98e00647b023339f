{{ config(materialized='table') }}

with

{{ imports(
    'int_pool_depths', 'int_inferred_depths', 'int_pool_parts', 'int_runs', 'int_pooled_runs', 'int_first_ranks',
    'int_run_mismatches', 'int_collections where is_judged', orders='int_order_left_out', rules='verdict_rules',
    contributions='int_pool_contributions where pool_key = 0'
) }},

changes as (

    select * from {{ ref('int_score_changes') }}
    where
        {{ is_at_hand() }}
        and measure = {{ verdict_measure() }}
        and unjudged = 'nonrelevant'
        and is_above_floor

),

generalizability as (

    select * from {{ ref('int_generalizability') }}
    where
        {{ is_at_hand() }}
        and measure = {{ verdict_cutoff_measure() }}

),

-- one row per collection with pooled runs: number of organizations that submitted them
pools as (

    select
        collection_key,
        count(distinct organization_key) as n_organizations
    from pooled_runs
    group by collection_key

),

-- one row per pooled document and organization that contributed it
parts as (

    select distinct
        collection_key,
        organization_key,
        topic_key,
        doc_key
    from contributions

),

-- one row per collection: the documents of the pool over those that one organization contributes, on average
diversities as (

    select
        collection_key,
        count(distinct row(topic_key, doc_key)) * count(distinct organization_key) / count(*) as diversity
    from parts
    group by collection_key

),

-- one row per collection: the share of the first ranks of pooled runs that would be unjudged without their
-- organization, and the unjudged share of the other runs that meet the qrels
unjudged as (

    select
        first_ranks.collection_key,
        100.0 * sum(first_ranks.n_unjudged_without_organization) filter (where pooled_runs.run_key is not null)
        / nullif(sum(first_ranks.n_on_pooled_topics) filter (where pooled_runs.run_key is not null), 0)
            as left_out_percent,
        100.0 * sum(first_ranks.n_unjudged) filter (where pooled_runs.run_key is null)
        / nullif(sum(first_ranks.n_documents) filter (where pooled_runs.run_key is null), 0) as unpooled_percent
    from first_ranks
    left join pooled_runs using (run_key)
    anti join run_mismatches using (run_key)
    group by first_ranks.collection_key

),

-- one row per collection and judgement set: the change of the scores of pooled runs, in either direction
changes_of_pool as (

    select
        changes.collection_key,
        changes.judgement_set,
        avg(abs(changes.loss_in_percent_of_full_score)) as mean_change,
        max(abs(changes.loss_in_percent_of_full_score)) as largest_change,
        arg_max(changes.run_key, (abs(changes.loss_in_percent_of_full_score), -changes.run_key)) as run_key
    from changes
    inner join pooled_runs using (run_key)
    group by all

),

-- the figures, each with its run where it is about one run
figures as (

    select
        collection_key,
        'pool_explains' as rule_id,
        100.0 * explained_share as figure,
        null as run_key
    from pool_parts
    union all
    select
        collection_key,
        'pool_depth' as rule_id,
        least_depth as figure,
        null as run_key
    from pool_parts
    union all
    select
        pool_depths.collection_key,
        'depth_confidence' as rule_id,
        case
            when pool_depths.pool_depth_source in ('declared', 'recorded') then 100.0
            else 100.0 * {{ depth_confidence('pool_depths', 'inferred_depths') }}
        end as figure,
        null as run_key
    from pool_depths
    left join inferred_depths using (collection_key)
    union all
    select
        unjudged.collection_key,
        'unjudged_left_out' as rule_id,
        unjudged.left_out_percent as figure,
        null as run_key
    from unjudged
    inner join pools using (collection_key)
    where pools.n_organizations > 1
    union all
    select
        collection_key,
        'unjudged_of_unpooled' as rule_id,
        unpooled_percent as figure,
        null as run_key
    from unjudged
    union all
    select
        changes_of_pool.collection_key,
        'change_left_out' as rule_id,
        changes_of_pool.mean_change as figure,
        null as run_key
    from changes_of_pool
    inner join pools using (collection_key)
    where
        changes_of_pool.judgement_set = 'without_organization'
        and pools.n_organizations > 1
    union all
    select
        changes_of_pool.collection_key,
        'largest_unique_change' as rule_id,
        changes_of_pool.largest_change as figure,
        changes_of_pool.run_key
    from changes_of_pool
    inner join pools using (collection_key)
    where
        changes_of_pool.judgement_set = 'without_unique_relevant'
        and pools.n_organizations > 1
    union all
    select
        collection_key,
        'order_left_out' as rule_id,
        kendall_tau as figure,
        null as run_key
    from orders
    union all
    select
        collection_key,
        'largest_fall' as rule_id,
        100.0 * largest_fall as figure,
        run_key
    from orders
    union all
    select
        collection_key,
        'generalizability' as rule_id,
        generalizability as figure,
        null as run_key
    from generalizability
    union all
    select
        diversities.collection_key,
        'diversity' as rule_id,
        diversities.diversity as figure,
        null as run_key
    from diversities
    inner join pools using (collection_key)
    where pools.n_organizations > 1

),

-- the figures that are known, each where its rule can be asked. What others brought to the pool is known where enough of
-- it is loaded. Each figure about this is the better, the more is loaded, so that a part can show what it does not fail.
known as (

    select
        figures.collection_key,
        figures.rule_id,
        cast(figures.figure as double) as figure,
        runs.run_id
    from figures
    inner join collections using (collection_key)
    inner join pool_depths using (collection_key)
    inner join pool_parts using (collection_key)
    inner join rules using (rule_id)
    left join runs using (run_key)
    where
        figures.figure is not null
        and case rules.asks_about
            when 'runs' then not {{ lists_relevant_documents('pool_depths.judging') }}
            when 'pool' then pool_depths.pool_depth is not null
            when 'whole pool' then pool_parts.is_told
            when 'others'
                then
                    pool_depths.pool_depth is not null
                    and (pool_parts.is_told or {{ outcome_of('figures.figure', 'rules') }} <> 'fails')
        end

)

select * from known
