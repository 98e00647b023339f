{{ config(materialized='table') }}

with

{{ imports('int_pool_contributions', 'int_judgements where is_judged') }},

-- one row per pool, topic and document: the pool rebuilt from its runs alone
contributors as (

    select
        pool_contributions.collection_key,
        pool_contributions.pool_key,
        pool_contributions.topic_key,
        pool_contributions.doc_key,
        {{ contributor_columns('pool_contributions') }}
    from pool_contributions
    group by all

),

-- the same rows with the judgement; null for a document without a judgement
judged as (

    select
        contributors.*,
        judgements.is_relevant
    from contributors
    left join judgements using (collection_key, topic_key, doc_key)

)

select * from judged
