with

{{ imports(
    'int_collections', 'int_runs', 'int_judged_topics', 'int_pooled_runs', 'int_pool_parts', 'int_contributions',
    'int_pool_documents where pool_key = 0'
) }},

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
    left join contributed using (collection_key, organization_key)
    left join pool_documents using (collection_key, topic_key, doc_key)
    group by all

),

-- one row per collection: its relevant documents, whoever contributed them
totals as (

    select
        collection_key,
        sum(n_relevant) as n_relevant
    from judged_topics
    group by collection_key

),

-- the same rows: others may have contributed what nobody else among the loaded runs did
known as (

    select
        counted.* replace (
            {{ if_others_are_known('counted.n_unique_judged') }} as n_unique_judged,
            {{ if_others_are_known('counted.n_unique_relevant') }} as n_unique_relevant
        )
    from counted
    inner join pool_parts using (collection_key)

),

-- one row per collection and organization with pooled runs
named as (

    select
        collections.collection_id,
        first_runs.organization,
        cast(known.n_pooled_runs as integer) as n_pooled_runs,
        cast(known.n_contributed as integer) as n_contributed,
        cast(known.n_judged as integer) as n_judged,
        cast(known.n_relevant as integer) as n_relevant,
        cast(known.n_unique_judged as integer) as n_unique_judged,
        cast(known.n_unique_relevant as integer) as n_unique_relevant,
        cast(totals.n_relevant as integer) as n_relevant_of_collection,
        cast(known.n_unique_relevant / nullif(known.n_relevant, 0) as double) as share_of_own_relevant,
        cast(known.n_unique_relevant / nullif(totals.n_relevant, 0) as double) as share_of_relevant_of_collection
    from known
    inner join collections using (collection_key)
    inner join runs as first_runs on known.organization_key = first_runs.run_key
    inner join totals using (collection_key)

)

select * from named
