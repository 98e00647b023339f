with

{{ imports('int_collections', 'int_runs', 'int_topics', 'int_documents') }},

common_lines as (

    select * from {{ ref('stg_common_judgements') }}
    where {{ is_judged('grade') }}

),

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
    inner join collections on common_lines.collection_key = collections.collection_key
    inner join runs
        on
            common_lines.collection_key = runs.collection_key
            and common_lines.run_id = runs.run_id
    inner join topics
        on
            common_lines.collection_key = topics.collection_key
            and common_lines.topic_id = topics.topic_id
    left join documents
        on
            common_lines.collection_key = documents.collection_key
            and common_lines.doc_id = documents.doc_id
    group by all

)

select * from common_judgements
