{{ config(arguments=['collection', 'pool_depth := 100', 'of_runs := null', 'is_of_every_topic := false']) }}

with

{{ imports('int_rankings') }},

planned_runs as (

    select * from {{ ref('int_planned_runs') }}(collection, of_runs, false)

),

{{ asked_of_plan(depths='[pool_depth]', is_of_every_topic='is_of_every_topic') }},

-- one row per run of the pool, topic and document that the run contributes
contributions as (

    select
        rankings.run_key,
        rankings.topic_key,
        rankings.doc_key,
        rankings.pooling_rank
    from planned_runs
    inner join rankings using (collection_key, run_key)
    inner join asked_topics using (collection_key, topic_key)
    inner join asked_depths on {{ is_contribution('rankings.pooling_rank', 'asked_depths.depth') }}

),

-- the same rows with the weight of the rank
weighted as (

    select
        topic_key,
        doc_key,
        pooling_rank,
        {{ exact_weight(prior_weight('pooling_rank')) }} as weight
    from contributions
    window
        ranking as (partition by run_key, topic_key),
        from_rank_on as (partition by run_key, topic_key order by pooling_rank desc)

),

-- one row per topic and document of the pool
documents as (

    select
        topic_key,
        doc_key,
        min(pooling_rank) as best_rank,
        cast(sum(weight) as double) as weight
    from weighted
    group by all

),

named as (

    select
        asked_topics.topic_id,
        all_documents.doc_id,
        documents.best_rank,
        documents.weight
    from documents
    inner join asked_topics using (topic_key)
    inner join {{ ref('int_documents') }} as all_documents using (collection_key, doc_key)

)

select * from named
