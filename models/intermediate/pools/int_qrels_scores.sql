{{ config(materialized='table', meta={'rule': 'by_pool'}) }}

with

{{ imports('int_pooled_runs', 'int_run_topics', 'int_measure_weights') }},

rankings as (

    select * from {{ ref('int_rankings') }}
    where
        {{ is_at_hand() }}
        and rank <= {{ deepest_cutoff() }}

),

relevant_documents as (

    select * from {{ ref('int_judgements') }}
    where
        {{ is_at_hand() }}
        and is_relevant

),

measures as (

    select distinct measure from measure_weights

),

-- one row per pooled run, and how many judged topics it answers
answering_runs as (

    select
        pooled_runs.collection_key,
        pooled_runs.run_key,
        count(*) as n_topics
    from pooled_runs
    inner join run_topics
        on
            pooled_runs.collection_key = run_topics.collection_key
            and pooled_runs.run_key = run_topics.run_key
    group by all

),

-- the relevant documents that these runs return
found as (

    select
        rankings.collection_key,
        rankings.run_key,
        rankings.rank
    from rankings
    inner join answering_runs
        on
            rankings.collection_key = answering_runs.collection_key
            and rankings.run_key = answering_runs.run_key
    inner join relevant_documents
        on
            rankings.collection_key = relevant_documents.collection_key
            and rankings.topic_key = relevant_documents.topic_key
            and rankings.doc_key = relevant_documents.doc_key

),

-- one row per pooled run and measure with any of these documents: the sum over topics
summed as (

    select
        found.collection_key,
        found.run_key,
        measure_weights.measure,
        sum(measure_weights.weight) as score
    from found
    inner join measure_weights on found.rank = measure_weights.rank
    group by all

),

-- one row per pooled run and measure: the mean over the topics that it answers
scores as (

    select
        answering_runs.collection_key,
        answering_runs.run_key,
        measures.measure,
        coalesce(summed.score, 0) / answering_runs.n_topics as score
    from answering_runs
    cross join measures
    left join summed
        on
            answering_runs.collection_key = summed.collection_key
            and answering_runs.run_key = summed.run_key
            and measures.measure = summed.measure

)

select * from scores
