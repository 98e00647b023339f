with

{{ imports(
    'int_judgements', 'int_collections', 'int_pool_depths', 'int_topics', 'int_documents', 'int_runs',
    'int_pool_documents where pool_key = 0'
) }},

named as (

    select
        collections.collection_id,
        topics.topic_id,
        documents.doc_id,
        judgements.grade as relevance,
        judgements.is_judged,
        judgements.is_relevant,
        {{ if_pool_is_known('coalesce(pool_documents.n_runs, 0)') }} as n_contributing_runs,
        {{ if_pool_is_known('coalesce(pool_documents.n_organizations, 0)') }} as n_contributing_organizations,
        runs.run_id as sole_run,
        first_runs.organization as sole_organization
    from judgements
    inner join collections using (collection_key)
    inner join topics using (collection_key, topic_key)
    inner join documents using (collection_key, doc_key)
    left join pool_depths using (collection_key)
    left join pool_documents using (collection_key, topic_key, doc_key)
    left join runs on pool_documents.sole_run_key = runs.run_key
    left join runs as first_runs on pool_documents.sole_organization_key = first_runs.run_key

)

select * from named
