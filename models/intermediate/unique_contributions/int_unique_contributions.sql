with

{{ imports('int_pooled_runs', 'int_contributions') }},

pool_documents as (

    select * from {{ ref('int_pool_documents') }}
    where pool_key = 0

),

-- one row per organization with pooled runs
organizations as (

    select
        collection_key,
        organization_key,
        count(*) as n_pooled_runs
    from pooled_runs
    group by all

),

-- one row per organization, topic and document that its runs contributed
contributed as (

    select distinct
        collection_key,
        organization_key,
        topic_key,
        doc_key
    from contributions

),

-- one row per organization, with the numbers of its documents in the pool, of the judged ones, and of those that
-- it alone contributed
counted as (

    select
        organizations.collection_key,
        organizations.organization_key,
        organizations.n_pooled_runs,
        count(pool_documents.doc_key) as n_contributed,
        count(pool_documents.is_relevant) as n_judged,
        count(*) filter (where pool_documents.is_relevant) as n_relevant,
        count(pool_documents.is_relevant) filter (where pool_documents.n_organizations = 1) as n_unique_judged,
        count(*) filter (where pool_documents.is_relevant and pool_documents.n_organizations = 1)
            as n_unique_relevant
    from organizations
    left join contributed
        on
            organizations.collection_key = contributed.collection_key
            and organizations.organization_key = contributed.organization_key
    left join pool_documents
        on
            contributed.collection_key = pool_documents.collection_key
            and contributed.topic_key = pool_documents.topic_key
            and contributed.doc_key = pool_documents.doc_key
    group by all

)

select * from counted
