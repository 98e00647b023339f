with

{{ imports(
    'int_expected_relevance', 'int_unpooled_relevance', 'int_collections', 'int_runs', 'int_topics', 'int_documents'
) }},

-- the unjudged documents of pooled runs without their organizations, whose judgements are known, and of other runs
all_runs as (

    select
        true as is_pooled,
        expected_relevance.*
    from expected_relevance
    union all by name
    select
        false as is_pooled,
        unpooled_relevance.*
    from unpooled_relevance

),

named as (

    select
        collections.collection_id,
        runs.run_id,
        topics.topic_id,
        documents.doc_id,
        all_runs.rank,
        all_runs.is_pooled,
        all_runs.rare_precision,
        all_runs.topic_precision,
        all_runs.support,
        all_runs.probability,
        all_runs.is_relevant
    from all_runs
    inner join collections on all_runs.collection_key = collections.collection_key
    inner join runs on all_runs.run_key = runs.run_key
    inner join topics
        on
            all_runs.collection_key = topics.collection_key
            and all_runs.topic_key = topics.topic_key
    inner join documents
        on
            all_runs.collection_key = documents.collection_key
            and all_runs.doc_key = documents.doc_key

)

select * from named
