{{ config(materialized='table', meta={'rule': 'pool'}) }}

with

{{ imports('int_pool_lists', 'int_listed_documents', 'int_judgements', 'int_runs', 'int_rankings') }},

-- one row per collection: how its lists were made
lists as (

    select
        collection_key,
        string_agg(distinct strategy, ', ' order by strategy) as strategies,
        count(*) as n_lists,
        list_distinct(flatten(list(run_ids))) as run_ids
    from pool_lists
    group by collection_key

),

-- one row per collection: the documents of its lists
counts as (

    select
        listed_documents.collection_key,
        count(*) as n_listed,
        count(judgements.grade) as n_answered
    from listed_documents
    left join judgements using (collection_key, topic_key, doc_key)
    group by listed_documents.collection_key

),

-- the loaded runs from which the lists were made
runs_of_lists as (

    select
        runs.collection_key,
        runs.run_key
    from lists
    inner join runs
        on
            lists.collection_key = runs.collection_key
            and list_contains(lists.run_ids, runs.run_id)

),

-- one row per topic with a list, and document that one of these runs returns
returned as (

    select
        rankings.collection_key,
        rankings.topic_key,
        rankings.doc_key,
        min(rankings.pooling_rank) as best_rank
    from rankings
    semi join runs_of_lists using (collection_key, run_key)
    semi join listed_documents using (collection_key, topic_key)
    group by all

),

-- one row per collection and depth: the documents of a pool of this depth
pools as (

    select
        collection_key,
        best_rank as depth,
        sum(count(*)) over (partition by collection_key order by best_rank) as n_documents
    from returned
    group by
        collection_key,
        best_rank

),

-- one row per collection: the depth of the largest pool with no more documents than are answered, and at least 1
equal_depths as (

    select
        pools.collection_key,
        cast(coalesce(max(pools.depth) filter (where pools.n_documents <= counts.n_answered), 1) as integer)
            as pool_depth
    from pools
    inner join counts using (collection_key)
    group by pools.collection_key

),

listed_pools as (

    select
        lists.collection_key,
        lists.strategies,
        cast(lists.n_lists as integer) as n_lists,
        lists.run_ids,
        counts.n_listed,
        counts.n_answered,
        equal_depths.pool_depth
    from lists
    inner join counts using (collection_key)
    inner join equal_depths using (collection_key)

)

select * from listed_pools
