{{ config(materialized='table') }}

with

{{ imports('int_rankings', 'int_run_pool_depths', 'int_judgements', 'int_topic_pools') }},

-- rankings of pooled topics down to twice the pool depth
around_the_edge as (

    select
        rankings.collection_key,
        rankings.run_key,
        rankings.topic_key,
        rankings.pooling_rank <= {{ depth_on_topic('topic_pools', 'run_pool_depths.pool_depth') }} as is_within,
        judgements.grade is not null as is_in_qrels
    from rankings
    inner join run_pool_depths
        on
            rankings.collection_key = run_pool_depths.collection_key
            and rankings.run_key = run_pool_depths.run_key
    inner join topic_pools
        on
            rankings.collection_key = topic_pools.collection_key
            and rankings.topic_key = topic_pools.topic_key
            and {{ is_around_pool_depth(
                'rankings.pooling_rank', depth_on_topic('topic_pools', 'run_pool_depths.pool_depth')
            ) }}
    left join judgements
        on
            rankings.collection_key = judgements.collection_key
            and rankings.topic_key = judgements.topic_key
            and rankings.doc_key = judgements.doc_key

),

-- one row per run and topic
edges as (

    select
        collection_key,
        run_key,
        topic_key,
        count(*) filter (where is_within) as n_within,
        count(*) filter (where is_within and is_in_qrels) as n_within_in_qrels,
        count(*) filter (where not is_within) as n_beyond,
        count(*) filter (where not is_within and is_in_qrels) as n_beyond_in_qrels
    from around_the_edge
    group by all

)

select * from edges
