{{ config(materialized='table', meta={'rule': 'by_pool'}) }}

with

{{ imports('stg_qrels', 'int_collections', 'int_topics', 'int_documents') }},

-- one row per topic and document; of several grades, the highest counts, whatever the order of the file
graded as (

    select
        qrels.collection_key,
        topics.topic_key,
        documents.doc_key,
        max(qrels.grade) as grade
    from qrels
    inner join topics using (collection_key, topic_id)
    inner join documents using (collection_key, doc_id)
    group by all

),

-- the same rows with the meaning of the grade in this collection
classified as (

    select
        graded.collection_key,
        graded.topic_key,
        graded.doc_key,
        graded.grade,
        {{ is_judged('graded.grade') }} as is_judged,
        {{ is_relevant('graded.grade', 'collections.relevance_threshold') }} as is_relevant
    from graded
    inner join collections using (collection_key)

)

select * from classified
