{{ config(materialized='table', meta={'rule': 'by_pool'}) }}

with

contributions as (

    select * from {{ ref('int_contributions') }}
    where {{ is_at_hand() }}

),

-- one row per topic and pooled document
contributors as (

    select
        contributions.collection_key,
        contributions.topic_key,
        contributions.doc_key,
        {{ contributor_columns('contributions') }}
    from contributions
    group by
        contributions.collection_key,
        contributions.topic_key,
        contributions.doc_key

)

select * from contributors
