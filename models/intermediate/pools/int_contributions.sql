{{ config(materialized='table') }}

with

{{ imports('int_rankings', 'int_pooled_runs', 'int_judged_topics') }},

-- documents that a pooled run returned down to the pool depth, in a judged topic
contributions as (

    select
        rankings.collection_key,
        rankings.topic_key,
        rankings.doc_key,
        rankings.run_key,
        pooled_runs.organization_key,
        rankings.rank
    from rankings
    inner join pooled_runs
        on
            rankings.collection_key = pooled_runs.collection_key
            and rankings.run_key = pooled_runs.run_key
            and {{ is_contribution('rankings.pooling_rank', 'pooled_runs.pool_depth') }}
    inner join judged_topics
        on
            rankings.collection_key = judged_topics.collection_key
            and rankings.topic_key = judged_topics.topic_key

)

select * from contributions
