{{ config(materialized='table', meta={'rule': 'by_collection'}) }}

with

{{ imports(
    'stg_qrels', 'int_topics', 'int_documents', 'int_judgements where is_judged', 'int_unretrieved_judgements'
) }},

-- collections whose qrels name several rounds
in_rounds as (

    select collection_key
    from qrels
    group by collection_key
    having min(iteration) < max(iteration)

),

-- one row per judged pair of these collections, with its round, and whether any loaded run returns the document
in_qrels as (

    select
        qrels.collection_key,
        qrels.iteration,
        judgements.is_relevant,
        unretrieved_judgements.doc_key is null as is_retrieved
    from qrels
    semi join in_rounds using (collection_key)
    inner join topics using (collection_key, topic_id)
    inner join documents using (collection_key, doc_id)
    inner join judgements using (collection_key, topic_key, doc_key)
    left join unretrieved_judgements using (collection_key, topic_key, doc_key)

),

-- one row per round that no run could contribute to: its documents were left out of the runs, because they were judged
-- before. A hundredth may come back, as another version of a document.
rounds as (

    select
        collection_key,
        iteration,
        count(*) as n_judged,
        count_if(is_relevant) as n_relevant
    from in_qrels
    group by
        collection_key,
        iteration
    having 100 * count_if(is_retrieved) <= count(*)

)

select * from rounds
