{{ config(arguments=['collection']) }}

with

{{ imports(
    'int_pool_lists', 'int_contributions', 'int_pooled_runs', 'int_runs', 'int_topics', 'int_documents',
    listed='stg_pool_documents where is_listed'
) }},

{{ collection_of_plan() }},

-- one row per list in use and document on it
documents_of_lists as (

    select
        listed.collection_key,
        listed.list_number,
        pool_lists.strategy,
        listed.place,
        topics.topic_key,
        topics.topic_id,
        documents.doc_key,
        documents.doc_id
    from asked_collection
    inner join pool_lists using (collection_key)
    inner join listed using (collection_key, list_number)
    inner join topics using (collection_key, topic_id)
    inner join documents using (collection_key, doc_id)

),

-- the same rows for each run that brought the document
brought as (

    select
        collection as collection_id,
        documents_of_lists.list_number,
        documents_of_lists.strategy,
        documents_of_lists.topic_id,
        documents_of_lists.doc_id,
        documents_of_lists.place,
        runs.run_id,
        runs.organization,
        contributions.rank
    from documents_of_lists
    inner join contributions using (collection_key, topic_key, doc_key)
    inner join pooled_runs using (run_key)
    inner join runs using (run_key)

)

select * from brought
