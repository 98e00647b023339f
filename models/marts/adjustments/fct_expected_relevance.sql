with

{{ imports(
    'int_expected_relevance', 'int_pooled_states', 'int_collections', 'int_runs', 'int_topics', 'int_documents'
) }},

-- the unjudged documents of pooled runs without their organizations, whose judgements are known, and of other runs
named as (

    select
        collections.collection_id,
        runs.run_id,
        topics.topic_id,
        documents.doc_id,
        expected_relevance.rank,
        expected_relevance.is_judged_if_pooled,
        pooled_states.is_pooled,
        expected_relevance.rare_precision,
        expected_relevance.topic_precision,
        expected_relevance.support,
        expected_relevance.probability,
        expected_relevance.is_relevant
    from expected_relevance
    inner join collections using (collection_key)
    inner join runs using (run_key)
    inner join pooled_states using (run_key)
    inner join topics using (collection_key, topic_key)
    inner join documents using (collection_key, doc_key)

)

select * from named
