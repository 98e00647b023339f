with

{{ imports(
    'int_collections', 'int_runs', 'int_topics', 'int_documents', 'stg_leave_out_pairs',
    common_lines='raw.common_judgements'
) }},

-- one row per run, topic and document that is judged for the run; of several grades, the highest counts. A
-- document that no run returned has no key.
common_judgements as (

    select
        runs.collection_key,
        runs.run_key,
        topics.topic_key,
        documents.doc_key,
        max(common_lines.grade) >= any_value(collections.relevance_threshold) as is_relevant
    from common_lines
    inner join collections using (collection_key)
    inner join runs using (collection_key, run_id)
    inner join topics
        on
            common_lines.collection_key = topics.collection_key
            and common_lines.query = topics.topic_id
    left join documents
        on
            common_lines.collection_key = documents.collection_key
            and common_lines.docno = documents.doc_id
    anti join leave_out_pairs
        on
            common_lines.collection_key = leave_out_pairs.collection_key
            and common_lines.query = leave_out_pairs.topic_id
            and common_lines.docno = leave_out_pairs.doc_id
    where {{ is_judged(counted_grade('common_lines.grade', 'collections.judged_from')) }}
    group by all

)

select * from common_judgements
