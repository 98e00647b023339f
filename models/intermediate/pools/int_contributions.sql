{{ config(materialized='table', meta={'rule': 'by_run'}) }}

with

{{ imports(
    'int_rankings', 'int_runs', 'int_pooled_runs', 'int_topic_pools', 'int_pool_depths', 'int_listed_documents'
) }},

-- of all runs, not only of those that are being built: the collections with one of them have a pool
pools as (

    select * from {{ ref('int_pooled_runs') }}
    where {{ is_at_hand() }}

),

-- one row per run: the depth to which it was pooled, or would have been
depths as (

    select
        collection_key,
        run_key,
        organization_key,
        pool_depth
    from pooled_runs
    union all
    select
        runs.collection_key,
        runs.run_key,
        0 as organization_key,
        pool_depths.pool_depth
    from runs
    semi join pools using (collection_key)
    inner join pool_depths using (collection_key)
    anti join pooled_runs using (run_key)

),

-- documents that a run returned down to the pool depth of a judged topic: those that it contributed or, outside of the
-- pool, would have contributed
by_depth as (

    select
        rankings.collection_key,
        rankings.topic_key,
        rankings.doc_key,
        rankings.run_key,
        depths.organization_key,
        rankings.rank
    from rankings
    inner join depths
        on
            rankings.collection_key = depths.collection_key
            and rankings.run_key = depths.run_key
    inner join topic_pools
        on
            rankings.collection_key = topic_pools.collection_key
            and rankings.topic_key = topic_pools.topic_key
            and {{ is_contribution('rankings.pooling_rank', depth_on_topic('topic_pools', 'depths.pool_depth')) }}
    anti join listed_documents on rankings.collection_key = listed_documents.collection_key

),

-- the same of a pool that was made by lists: the documents of the lists on judged topics, down to the rank at which the
-- lists of the topic ended
by_list as (

    select
        rankings.collection_key,
        rankings.topic_key,
        rankings.doc_key,
        rankings.run_key,
        depths.organization_key,
        rankings.rank
    from listed_documents
    inner join rankings using (collection_key, topic_key, doc_key)
    inner join depths using (collection_key, run_key)
    semi join topic_pools using (collection_key, topic_key)
    where {{ is_contribution('rankings.pooling_rank', 'listed_documents.topic_depth') }}

),

contributions as (

    select * from by_depth
    union all
    select * from by_list

)

select * from contributions
