{{ config(materialized='table', meta={'rule': 'by_collection'}) }}

with

{{ imports(
    'int_pool_depths', 'int_outside_pool', 'int_missing_runs', 'int_topic_pools', 'int_pooled_runs',
    'int_runs where task is not null'
) }},

-- one row per collection with described runs that are not loaded. Where runs are declared as pooled, the others were not.
missing as (

    select
        missing_runs.collection_key,
        count(*) as n_missing_runs,
        list(missing_runs.run_id order by missing_runs.run_id) as run_ids
    from missing_runs
    inner join pool_depths using (collection_key)
    where missing_runs.is_declared_pooled or not pool_depths.has_declared_runs
    group by missing_runs.collection_key

),

-- one row per collection with pooled runs, and how many of them a page of the campaign names, with all others
run_counts as (

    select
        pooled_runs.collection_key,
        count(*) as n_runs,
        count(runs.run_key) as n_on_page
    from pooled_runs
    left join runs using (run_key)
    group by pooled_runs.collection_key

),

-- one row per collection: the topics on which its runs were pooled
topic_counts as (

    select
        collection_key,
        count(*) as n_topics,
        count_if({{ is_pooled_topic('topic_pools') }}) as n_pooled_topics,
        min(pool_depth) as least_topic_depth
    from topic_pools
    group by collection_key

),

-- one row per collection with runs: how much of its pool is loaded, and whether this tells who else brought a document
parts as (

    select
        pool_depths.collection_key,
        pool_depths.pool_depth,
        least(pool_depths.pool_depth, topic_counts.least_topic_depth) as least_depth,
        run_counts.n_runs,
        coalesce(missing.n_missing_runs, 0) as n_missing_runs,
        missing.run_ids as missing_run_ids,
        topic_counts.n_topics,
        topic_counts.n_pooled_topics,
        1 - outside_pool.share_judged_outside_pool as explained_share,
        pool_depths.pool_depth is not null
        and case
            when missing.n_missing_runs > 0
                then
                    {{ comparable('run_counts.n_runs / (run_counts.n_runs + missing.n_missing_runs)') }}
                    >= {{ least_loaded_share() }}
            when run_counts.n_on_page = run_counts.n_runs then true
            else {{ comparable('explained_share') }} >= {{ least_explained_share() }}
        end is true as is_told
    from pool_depths
    left join run_counts using (collection_key)
    left join outside_pool using (collection_key)
    left join missing using (collection_key)
    left join topic_counts using (collection_key)

)

select * from parts
