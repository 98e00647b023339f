{{ config(materialized='table', meta={'rule': 'by_run'}) }}

with

judged_rankings as (

    select * from {{ ref('int_judged_rankings') }}
    where
        {{ is_at_hand() }}
        and {{ is_run_at_hand() }}
        and is_relevant is not null

),

run_topics as (

    select * from {{ ref('int_run_topics') }}
    where
        {{ is_at_hand() }}
        and {{ is_run_at_hand() }}

),

measure_weights as (

    select * from {{ ref('int_measure_weights') }}

),

top_weights as (

    select * from {{ ref('int_top_weights') }}

),

pool_measures as (

    select * from {{ ref('int_pool_measures') }}
    where pool_key = 0

),

-- one row per run and measure: its top documents, and their weight
top_documents as (

    select
        run_topics.collection_key,
        run_topics.run_key,
        pool_measures.measure,
        count(*) as n_topics,
        sum(top_weights.n_top) as n_documents,
        sum(top_weights.weight) as weight
    from run_topics
    cross join pool_measures
    inner join top_weights
        on
            pool_measures.measure = top_weights.measure
            and top_weights.n_top = least(run_topics.n_retrieved, pool_measures.cutoff)
    group by
        run_topics.collection_key,
        run_topics.run_key,
        pool_measures.measure

),

-- the judged documents among them
judged_documents as (

    select
        judged_rankings.run_key,
        measure_weights.measure,
        count(*) as n_documents,
        sum(measure_weights.weight) as weight
    from judged_rankings
    inner join measure_weights on judged_rankings.rank = measure_weights.rank
    group by
        judged_rankings.run_key,
        measure_weights.measure

),

-- one row per run and measure: the unjudged weight, as a mean over the topics that the run answers
residuals as (

    select
        top_documents.collection_key,
        top_documents.run_key,
        top_documents.measure,
        {{ residual(
            'top_documents.n_documents - coalesce(judged_documents.n_documents, 0)', 'top_documents.weight',
            'coalesce(judged_documents.weight, 0)'
        ) }} / top_documents.n_topics as residual
    from top_documents
    left join judged_documents
        on
            top_documents.run_key = judged_documents.run_key
            and top_documents.measure = judged_documents.measure

)

select * from residuals
