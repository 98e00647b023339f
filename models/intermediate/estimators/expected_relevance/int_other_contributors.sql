with

{{ imports('int_pool_contributions', 'int_pool_measures') }},

pool_documents as (

    select * from {{ ref('int_pool_documents') }}
    where
        {{ is_at_hand() }}
        and is_relevant is not null

),

-- the subset top_75 repeats published tables, which have no such estimates
pools as (

    select distinct pool_key
    from pool_measures
    where subset = 'all'

),

-- one row per pool, run and judged document that it contributed, seen without the organization of the run
other_contributors as (

    select
        pool_contributions.collection_key,
        pool_contributions.pool_key,
        pool_contributions.run_key,
        pool_contributions.organization_key,
        pool_contributions.topic_key,
        pool_contributions.doc_key,
        pool_contributions.rank,
        pool_documents.is_relevant,
        pool_documents.n_organizations - 1 as n_others,
        case
            when pool_documents.n_organizations = 2
                then pool_documents.organization_keys - pool_contributions.organization_key
        end as other_organization_key,
        pool_documents.n_organizations > 1 as stays_judged
    from pool_contributions
    inner join pools on pool_contributions.pool_key = pools.pool_key
    inner join pool_documents
        on
            pool_contributions.collection_key = pool_documents.collection_key
            and pool_contributions.pool_key = pool_documents.pool_key
            and pool_contributions.topic_key = pool_documents.topic_key
            and pool_contributions.doc_key = pool_documents.doc_key

)

select * from other_contributors
