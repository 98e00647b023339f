{#- Not stored: the merged rankings of TREC-8 have 25 million rows, and are read once. -#}
{{ config(materialized='ephemeral') }}

with

rankings as (

    select * from {{ ref('int_rankings') }}
    where {{ is_at_hand() }}

),

pool_runs as (

    select * from {{ ref('int_pool_runs') }}
    where
        {{ is_at_hand() }}
        and pool_key = 0

),

judged_topics as (

    select * from {{ ref('int_judged_topics') }}
    where {{ is_at_hand() }}

),

-- the whole rankings of the pooled runs
pooled_rankings as (

    select
        rankings.collection_key,
        rankings.run_key,
        rankings.topic_key,
        rankings.doc_key,
        rankings.rank
    from rankings
    inner join pool_runs on rankings.run_key = pool_runs.run_key
    inner join judged_topics
        on
            rankings.collection_key = judged_topics.collection_key
            and rankings.topic_key = judged_topics.topic_key

),

-- one row per run and other run of the pool; larger pools merge the same pairs
pairs as (

    select
        unpooled.collection_key,
        unpooled.run_key as unpooled_run_key,
        pooled.run_key as pooled_run_key
    from pool_runs as unpooled
    inner join pool_runs as pooled
        on
            unpooled.collection_key = pooled.collection_key
            and unpooled.run_key <> pooled.run_key

),

-- one row per pair and topic of the pooled run: the top of the merged ranking, best first. A
-- topic that the unpooled run does not answer has no shared document and stays as it is.
merged as (

    select
        pairs.collection_key,
        pairs.unpooled_run_key,
        pairs.pooled_run_key,
        pooled_rankings.topic_key,
        {{ first_in_order(
            'pooled_rankings.doc_key',
            merge_order('pooled_rankings.rank', 'unpooled_rankings.rank'),
            deepest_cutoff()
        ) }} as doc_keys
    from pooled_rankings
    inner join pairs on pooled_rankings.run_key = pairs.pooled_run_key
    left join pooled_rankings as unpooled_rankings
        on
            pairs.unpooled_run_key = unpooled_rankings.run_key
            and pooled_rankings.topic_key = unpooled_rankings.topic_key
            and pooled_rankings.doc_key = unpooled_rankings.doc_key
    group by
        pairs.collection_key,
        pairs.unpooled_run_key,
        pairs.pooled_run_key,
        pooled_rankings.topic_key

)

select * from merged
