{{ config(materialized='table', meta={'rule': 'by_pool'}) }}

with

{{ imports('int_judged_topics', 'int_judgements') }},

pool_documents as (

    select * from {{ ref('int_pool_documents') }}
    where
        {{ is_at_hand() }}
        and pool_key = 0

),

-- documents of the qrels that only one organization, or only one run, contributed
sole_documents as (

    select
        judgements.collection_key,
        judgements.topic_key,
        judgements.is_judged,
        {{ sole_columns('pool_documents') }}
    from judgements
    inner join pool_documents
        on
            judgements.collection_key = pool_documents.collection_key
            and judgements.topic_key = pool_documents.topic_key
            and judgements.doc_key = pool_documents.doc_key
    where pool_documents.sole_organization_key is not null

),

-- the same documents, once for every run or organization with which they leave
leaving as (

    select
        collection_key,
        topic_key,
        is_judged,
        unnest([sole_run_key, null, null]) as left_out_run_key,
        unnest([null, sole_organization_key, null]) as left_out_organization_key,
        unnest([null, null, sole_relevant_organization_key]) as left_out_relevant_organization_key
    from sole_documents

),

-- one row per topic and run or organization whose leaving loses a document there, and one row per topic where
-- nothing leaves
left_out as (

    select
        collection_key,
        topic_key,
        left_out_run_key,
        left_out_organization_key,
        left_out_relevant_organization_key,
        cast(count(*) filter (where is_judged) as integer) as n_judged_lost
    from leaving
    where coalesce(left_out_run_key, left_out_organization_key, left_out_relevant_organization_key) is not null
    group by all
    union all
    select
        collection_key,
        topic_key,
        null as left_out_run_key,
        null as left_out_organization_key,
        null as left_out_relevant_organization_key,
        0 as n_judged_lost
    from judged_topics

)

select * from left_out
