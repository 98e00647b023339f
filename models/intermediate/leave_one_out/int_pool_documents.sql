{{ config(materialized='table', meta={'rule': 'by_pool'}) }}

with

contributions as (

    select * from {{ ref('int_contributions') }}
    where {{ is_at_hand() }}

),

pool_runs as (

    select * from {{ ref('int_pool_runs') }}
    where {{ is_at_hand() }}

),

judgements as (

    select * from {{ ref('int_judgements') }}
    where
        {{ is_at_hand() }}
        and is_judged

),

-- one row per pool, topic and document: the pool rebuilt from its runs alone
contributors as (

    select
        pool_runs.collection_key,
        pool_runs.pool_key,
        contributions.topic_key,
        contributions.doc_key,
        {{ contributor_columns('contributions') }}
    from pool_runs
    inner join contributions on pool_runs.run_key = contributions.run_key
    group by
        pool_runs.collection_key,
        pool_runs.pool_key,
        contributions.topic_key,
        contributions.doc_key

),

-- the same rows, those without a judgement left out
judged as (

    select
        contributors.*,
        judgements.is_relevant
    from contributors
    inner join judgements
        on
            contributors.collection_key = judgements.collection_key
            and contributors.topic_key = judgements.topic_key
            and contributors.doc_key = judgements.doc_key

)

select * from judged
