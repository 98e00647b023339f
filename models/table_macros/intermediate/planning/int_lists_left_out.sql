{{ config(arguments=['collection', 'chosen_again']) }}
-- `chosen_again` is a table of organization, topic_id and doc_id: the documents that the strategy chooses without the
-- runs of the organization.

with

{{ imports(
    'int_listed_documents', 'int_pooled_runs', 'int_runs', 'int_rankings', 'int_topics', 'int_documents',
    'int_judgements where is_judged', 'int_pool_documents where pool_key = 0'
) }},

{{ collection_of_plan() }},

-- one row per judged document of the lists
listed as (

    select
        listed_documents.collection_key,
        listed_documents.topic_key,
        listed_documents.doc_key,
        topics.topic_id,
        documents.doc_id,
        pool_documents.sole_organization_key
    from asked_collection
    inner join listed_documents using (collection_key)
    inner join judgements using (collection_key, topic_key, doc_key)
    inner join topics using (collection_key, topic_key)
    inner join documents using (collection_key, doc_key)
    left join pool_documents using (collection_key, topic_key, doc_key)

),

-- one row per organization with pooled runs
organizations as (

    select
        runs.organization_key,
        runs.organization,
        count(*) as n_runs
    from asked_collection
    inner join pooled_runs using (collection_key)
    inner join runs using (run_key)
    group by all

),

-- one row per organization and document that leaves with it, in either way
leaving as (

    select
        organizations.organization_key,
        listed.topic_key,
        listed.doc_key,
        coalesce(listed.sole_organization_key = organizations.organization_key, false) as leaves_list,
        again.doc_id is null as is_not_chosen_again
    from listed
    cross join organizations
    left join query_table(chosen_again) as again
        on
            organizations.organization = again.organization
            and listed.topic_id = again.topic_id
            and listed.doc_id = again.doc_id
    where
        leaves_list
        or is_not_chosen_again

),

-- one row per organization with such a document
numbers as (

    select
        organization_key,
        count_if(leaves_list) as n_leaving,
        count_if(is_not_chosen_again) as n_leaving_again
    from leaving
    group by organization_key

),

-- the first documents of the runs on the topics of the lists, and whether they are judged without the organization
first_documents as (

    select
        runs.organization_key,
        judgements.doc_key is null as is_unjudged,
        coalesce(leaving.leaves_list, false) as leaves_list,
        coalesce(leaving.is_not_chosen_again, false) as is_not_chosen_again
    from asked_collection
    inner join pooled_runs using (collection_key)
    inner join runs using (run_key)
    inner join rankings
        on
            asked_collection.collection_key = rankings.collection_key
            and pooled_runs.run_key = rankings.run_key
    left join judgements
        on
            rankings.collection_key = judgements.collection_key
            and rankings.topic_key = judgements.topic_key
            and rankings.doc_key = judgements.doc_key
    left join leaving
        on
            runs.organization_key = leaving.organization_key
            and rankings.topic_key = leaving.topic_key
            and rankings.doc_key = leaving.doc_key
    where
        rankings.rank <= {{ n_first_ranks() }}
        and rankings.topic_key in (select listed.topic_key from listed)

),

-- one row per organization: the unjudged share of the first documents of its runs
shares as (

    select
        organization_key,
        count(*) as n_first_documents,
        avg(cast(is_unjudged as integer)) as unjudged,
        avg(cast(is_unjudged or leaves_list as integer)) as unjudged_without,
        avg(cast(is_unjudged or is_not_chosen_again as integer)) as unjudged_without_again
    from first_documents
    group by organization_key

),

named as (

    select
        organizations.organization,
        cast(organizations.n_runs as integer) as n_runs,
        coalesce(numbers.n_leaving, 0) as n_leaving,
        coalesce(numbers.n_leaving_again, 0) as n_leaving_again,
        shares.n_first_documents,
        shares.unjudged,
        shares.unjudged_without,
        shares.unjudged_without_again
    from organizations
    left join numbers using (organization_key)
    left join shares using (organization_key)

)

select * from named
