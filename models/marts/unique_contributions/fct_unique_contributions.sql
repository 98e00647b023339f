with

{{ imports('int_unique_contributions', 'int_collections', 'int_organizations', 'int_judged_topics') }},

-- one row per collection: its relevant documents, whoever contributed them
totals as (

    select
        collection_key,
        sum(n_relevant) as n_relevant
    from judged_topics
    group by collection_key

),

-- one row per collection and organization with pooled runs
named as (

    select
        collections.collection_id,
        organizations.organization,
        cast(unique_contributions.n_pooled_runs as integer) as n_pooled_runs,
        cast(unique_contributions.n_contributed as integer) as n_contributed,
        cast(unique_contributions.n_judged as integer) as n_judged,
        cast(unique_contributions.n_relevant as integer) as n_relevant,
        cast(unique_contributions.n_unique_judged as integer) as n_unique_judged,
        cast(unique_contributions.n_unique_relevant as integer) as n_unique_relevant,
        cast(totals.n_relevant as integer) as n_relevant_of_collection,
        cast(unique_contributions.n_unique_relevant / nullif(unique_contributions.n_relevant, 0) as double)
            as share_of_own_relevant,
        cast(unique_contributions.n_unique_relevant / nullif(totals.n_relevant, 0) as double)
            as share_of_relevant_of_collection
    from unique_contributions
    inner join collections on unique_contributions.collection_key = collections.collection_key
    inner join organizations
        on
            unique_contributions.collection_key = organizations.collection_key
            and unique_contributions.organization_key = organizations.organization_key
    inner join totals on unique_contributions.collection_key = totals.collection_key

)

select * from named
