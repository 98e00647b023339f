{{ config(materialized='table', meta={'rule': 'by_collection'}) }}

with

rankings as (

    select * from {{ ref('int_rankings') }}
    where {{ is_at_hand() }}

),

pool_depths as (

    select * from {{ ref('int_pool_depths') }}
    where {{ is_at_hand() }}

),

pooled_runs as (

    select * from {{ ref('int_pooled_runs') }}
    where {{ is_at_hand() }}

),

judgements as (

    select * from {{ ref('int_judgements') }}
    where {{ is_at_hand() }}

),

judged_topics as (

    select * from {{ ref('int_judged_topics') }}
    where {{ is_at_hand() }}

),

-- one row per rank down to twice the pool depth, for pooled runs and for the others
ranks as (

    select
        rankings.collection_key,
        pooled_runs.run_key is not null as is_pooled,
        rankings.pooling_rank,
        pool_depths.pool_depth,
        count(*) as n_documents,
        count(judgements.grade) as n_in_qrels
    from rankings
    inner join pool_depths
        on
            rankings.collection_key = pool_depths.collection_key
            and {{ is_around_pool_depth('rankings.pooling_rank', 'pool_depths.pool_depth') }}
    inner join judged_topics
        on
            rankings.collection_key = judged_topics.collection_key
            and rankings.topic_key = judged_topics.topic_key
    left join pooled_runs on rankings.run_key = pooled_runs.run_key
    left join judgements
        on
            rankings.collection_key = judgements.collection_key
            and rankings.topic_key = judgements.topic_key
            and rankings.doc_key = judgements.doc_key
    group by
        rankings.collection_key,
        pooled_runs.run_key is not null,
        rankings.pooling_rank,
        pool_depths.pool_depth

)

select * from ranks
