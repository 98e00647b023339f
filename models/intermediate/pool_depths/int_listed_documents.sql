{{ config(materialized='table', meta={'rule': 'pool'}) }}

with

{{ imports(
    'int_pool_lists', 'int_runs', 'int_topics', 'int_documents', 'int_rankings',
    listed='stg_pool_documents where is_listed'
) }},

-- one row per topic and document on a list in use
documents_of_lists as (

    select distinct
        listed.collection_key,
        topics.topic_key,
        documents.doc_key
    from listed
    semi join pool_lists using (collection_key, list_number)
    inner join topics using (collection_key, topic_id)
    inner join documents using (collection_key, doc_id)

),

-- the loaded runs from which the lists were made
runs_of_lists as (

    select distinct
        runs.collection_key,
        runs.run_key
    from pool_lists
    inner join runs
        on
            pool_lists.collection_key = runs.collection_key
            and list_contains(pool_lists.run_ids, runs.run_id)

),

-- the same documents with the best rank that any of these runs gives them; null where none of these returns them
ranked as (

    select
        documents_of_lists.collection_key,
        documents_of_lists.topic_key,
        documents_of_lists.doc_key,
        min(rankings.pooling_rank) filter (where runs_of_lists.run_key is not null) as best_rank
    from documents_of_lists
    left join rankings using (collection_key, topic_key, doc_key)
    left join runs_of_lists
        on
            rankings.collection_key = runs_of_lists.collection_key
            and rankings.run_key = runs_of_lists.run_key
    group by all

),

-- the same rows with the rank at which the lists of the topic ended: the lowest from which a document came
ended as (

    select
        *,
        max(best_rank) over (partition by collection_key, topic_key) as topic_depth
    from ranked

)

select * from ended
