{{ config(materialized='table', meta={'rule': 'by_pool'}) }}

with

contributions as (

    select * from {{ ref('int_contributions') }}
    where {{ is_at_hand() }}

),

members as (

    select * from {{ ref('int_pool_members') }}
    where {{ is_at_hand() }}

),

relevant_documents as (

    select * from {{ ref('int_pool_documents') }}
    where
        {{ is_at_hand() }}
        and is_relevant

),

-- one row per pool, level, relevant document and contributor (a run, or an organization's runs)
contributors as (

    select
        members.collection_key,
        members.pool_key,
        members.level,
        contributions.topic_key,
        contributions.doc_key,
        members.contributor_key,
        count(*) as n_runs,
        min(contributions.run_key) as run_key,
        min(contributions.rank) as rank
    from relevant_documents
    inner join contributions
        on
            relevant_documents.collection_key = contributions.collection_key
            and relevant_documents.topic_key = contributions.topic_key
            and relevant_documents.doc_key = contributions.doc_key
    inner join members
        on
            relevant_documents.collection_key = members.collection_key
            and relevant_documents.pool_key = members.pool_key
            and contributions.run_key = members.run_key
    group by
        members.collection_key,
        members.pool_key,
        members.level,
        contributions.topic_key,
        contributions.doc_key,
        members.contributor_key

),

-- the same rows with the number of contributors and, where there are two, the other one: what is
-- left of the sum of their keys (0, so null, where there is one)
with_others as (

    select
        *,
        count(*) over document as n_contributors,
        nullif(sum(contributor_key) over document - contributor_key, 0) as other_contributor_key
    from contributors
    window document as (partition by collection_key, pool_key, level, topic_key, doc_key)

),

-- documents that one run alone contributes as soon as one other contributor, if any, has left
lone as (

    select
        collection_key,
        pool_key,
        level,
        topic_key,
        doc_key,
        run_key,
        contributor_key,
        rank,
        cast(other_contributor_key as integer) as other_contributor_key
    from with_others
    where
        n_runs = 1
        and n_contributors <= 2

)

select * from lone
