with

{{ imports('int_unpooled_runs', 'int_rankings', 'int_judged_topics', 'int_pool_depths') }},

judgements as (

    select * from {{ ref('int_judgements') }}
    where
        {{ is_at_hand() }}
        and is_judged

),

-- the documents that the runs that were not pooled would have contributed, with their judgements
contributions as (

    select
        rankings.collection_key,
        rankings.run_key,
        rankings.topic_key,
        rankings.doc_key,
        rankings.rank,
        judgements.is_relevant
    from rankings
    inner join unpooled_runs
        on
            rankings.collection_key = unpooled_runs.collection_key
            and rankings.run_key = unpooled_runs.run_key
    inner join judged_topics
        on
            rankings.collection_key = judged_topics.collection_key
            and rankings.topic_key = judged_topics.topic_key
    inner join pool_depths
        on
            rankings.collection_key = pool_depths.collection_key
            and {{ is_contribution('rankings.pooling_rank', 'pool_depths.pool_depth') }}
    left join judgements
        on
            rankings.collection_key = judgements.collection_key
            and rankings.topic_key = judgements.topic_key
            and rankings.doc_key = judgements.doc_key

)

select * from contributions
