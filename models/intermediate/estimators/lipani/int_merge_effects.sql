{{ config(materialized='table') }}

with

{{ imports(
    'int_merged_counts', 'int_unmerged_counts', 'int_run_topics', "int_pool_measures where measure_name = 'P'",
    pairs='int_pool_pairs where is_scored'
) }},

-- one row per run
topic_counts as (

    select
        collection_key,
        run_key,
        count(*) as n_topics
    from run_topics
    group by all

),

-- counts after the merge, and counts before it with the opposite sign; their sum is the change
signed_counts as (

    select
        *,
        1 as sign
    from merged_counts
    union all by name
    select
        *,
        -1 as sign
    from unmerged_counts

),

-- one row per pool, pair and band of ranks
changes as (

    select
        collection_key,
        pool_key,
        candidate_run_key,
        member_run_key,
        band,
        sum(sign * coalesce(n_relevant_without_run, 0)) as relevant_without_run,
        sum(sign * coalesce(n_non_relevant_without_run, 0)) as non_relevant_without_run,
        sum(sign * coalesce(n_relevant_without_organization, 0)) as relevant_without_organization,
        sum(sign * coalesce(n_non_relevant_without_organization, 0)) as non_relevant_without_organization
    from signed_counts
    group by all

),

-- one row per pool, cutoff, level and pair: the change of the precision and anti-precision of the pool's run by
-- the merge, as means over the topics that it answers
effects as (

    select
        pairs.collection_key,
        pairs.pool_key,
        pairs.level,
        pool_measures.measure,
        pool_measures.cutoff,
        pairs.run_key as candidate_run_key,
        pairs.member_run_key,
        coalesce(
            sum(
                case pairs.level
                    when 'run' then changes.relevant_without_run
                    else changes.relevant_without_organization
                end
            ),
            0
        ) / pool_measures.cutoff / any_value(topic_counts.n_topics) as delta_precision,
        coalesce(
            sum(
                case pairs.level
                    when 'run' then changes.non_relevant_without_run
                    else changes.non_relevant_without_organization
                end
            ),
            0
        ) / pool_measures.cutoff / any_value(topic_counts.n_topics) as delta_anti_precision
    from pairs
    inner join pool_measures using (pool_key)
    inner join topic_counts
        on
            pairs.collection_key = topic_counts.collection_key
            and pairs.member_run_key = topic_counts.run_key
    left join changes
        on
            pairs.collection_key = changes.collection_key
            and pairs.pool_key = changes.pool_key
            and pairs.run_key = changes.candidate_run_key
            and pairs.member_run_key = changes.member_run_key
            and pool_measures.cutoff >= changes.band
    group by
        pairs.collection_key,
        pairs.pool_key,
        pairs.level,
        pool_measures.measure,
        pool_measures.cutoff,
        pairs.run_key,
        pairs.member_run_key

)

select * from effects
