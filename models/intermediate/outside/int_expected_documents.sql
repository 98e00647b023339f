{{ config(materialized='table', meta={'rule': 'by_collection'}) }}

with

{{ imports(
    relevance='int_expected_relevance where pool_key = 0 and is_relevant is null'
) }},

-- one row per topic and document that a loaded run returned and nobody judged: its probability, in the mean of the lists
documents as (

    select
        collection_key,
        topic_key,
        doc_key,
        avg(probability) as probability
    from relevance
    group by all

)

select * from documents
