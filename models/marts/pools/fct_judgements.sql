with

{{ imports('int_judgements', 'int_collections', 'int_pool_depths', 'int_topics', 'int_documents', 'int_runs') }},

pool_documents as (

    select * from {{ ref('int_pool_documents') }}
    where pool_key = 0

),

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
    inner join collections on judgements.collection_key = collections.collection_key
    inner join topics
        on
            judgements.collection_key = topics.collection_key
            and judgements.topic_key = topics.topic_key
    inner join documents
        on
            judgements.collection_key = documents.collection_key
            and judgements.doc_key = documents.doc_key
    left join pool_depths on judgements.collection_key = pool_depths.collection_key
    left join pool_documents
        on
            judgements.collection_key = pool_documents.collection_key
            and judgements.topic_key = pool_documents.topic_key
            and judgements.doc_key = pool_documents.doc_key
    left join runs on pool_documents.sole_run_key = runs.run_key
    left join runs as first_runs on pool_documents.sole_organization_key = first_runs.run_key

)

select * from named
