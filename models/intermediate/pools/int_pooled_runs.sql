{{ config(materialized='by_collection') }}

with

runs as (

    select * from {{ ref('int_runs') }}
    where {{ is_at_hand() }}

),

pool_depths as (

    select * from {{ ref('int_pool_depths') }}
    where {{ is_at_hand() }}

),

rankings as (

    select * from {{ ref('int_rankings') }}
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

-- one row per run and judged topic: documents down to the pool depth that the qrels do not hold
gaps as (

    select
        rankings.collection_key,
        rankings.run_key,
        rankings.topic_key,
        count(*) filter (where judgements.grade is null) as n_gaps
    from rankings
    inner join pool_depths
        on
            rankings.collection_key = pool_depths.collection_key
            and rankings.pooling_rank <= pool_depths.pool_depth
    inner join judged_topics
        on
            rankings.collection_key = judged_topics.collection_key
            and rankings.topic_key = judged_topics.topic_key
    left join judgements
        on
            rankings.collection_key = judgements.collection_key
            and rankings.topic_key = judgements.topic_key
            and rankings.doc_key = judgements.doc_key
    group by
        rankings.collection_key,
        rankings.run_key,
        rankings.topic_key

),

-- one row per run that answers a judged topic: its worst topic
worst as (

    select
        collection_key,
        run_key,
        max(n_gaps) as n_gaps
    from gaps
    group by
        collection_key,
        run_key

),

-- runs that were pooled: the declared ones where any is declared, else those the qrels cover
pooled as (

    select
        runs.collection_key,
        runs.run_key,
        runs.organization_key,
        pool_depths.pool_depth,
        pool_depths.has_declared_runs as is_declared
    from runs
    inner join pool_depths on runs.collection_key = pool_depths.collection_key
    inner join worst on runs.run_key = worst.run_key
    where
        case
            when pool_depths.has_declared_runs then coalesce(runs.is_declared_pooled, false)
            else worst.n_gaps <= floor(pool_depths.pool_depth / {{ var('ranks_per_tolerated_gap') }})
        end

)

select * from pooled
