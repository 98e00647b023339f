{{ config(materialized='table') }}

with

{{ imports('int_pool_contributions', 'int_levels', 'int_pool_rankings where is_own_contribution') }},

pool_documents as (

    select * from {{ ref('int_pool_documents') }}
    where
        {{ is_at_hand() }}
        and is_relevant is not null
        and n_organizations <= 2

),

-- one row per pool, level, judged document and contributor (a run, or an organization's runs)
contributors as (

    select
        pool_contributions.collection_key,
        pool_contributions.pool_key,
        levels.level,
        pool_contributions.topic_key,
        pool_contributions.doc_key,
        {{ contributor_at('levels.level', 'pool_contributions') }} as contributor_key,
        count(*) as n_runs,
        min(pool_contributions.run_key) as run_key
    from pool_documents
    inner join pool_contributions using (collection_key, pool_key, topic_key, doc_key)
    cross join levels
    group by all

),

-- the same rows with the number of contributors and, where there are two, the other one
with_others as (

    select
        *,
        count(*) over document as n_contributors,
        nullif(
            min(contributor_key) over document + max(contributor_key) over document - contributor_key,
            contributor_key
        ) as other_contributor_key
    from contributors
    window document as (partition by collection_key, pool_key, level, topic_key, doc_key)

),

-- documents that only one run contributes as soon as the one other contributor, if any, has left; down to the
-- deepest rank of its ranking that is read
lone as (

    select
        with_others.collection_key,
        with_others.pool_key,
        with_others.level,
        with_others.topic_key,
        with_others.doc_key,
        with_others.run_key,
        with_others.contributor_key,
        with_others.other_contributor_key,
        pool_rankings.rank,
        pool_rankings.condensed_rank,
        pool_rankings.is_relevant
    from with_others
    inner join pool_rankings using (collection_key, pool_key, run_key, topic_key, doc_key)
    where
        with_others.n_runs = 1
        and with_others.n_contributors <= 2

)

select * from lone
