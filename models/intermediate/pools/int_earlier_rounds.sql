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

-- one row per judged pair of these collections, with its first round, and whether any loaded run returns the document
in_qrels as (

    select
        qrels.collection_key,
        topics.topic_key,
        judgements.doc_key,
        judgements.is_relevant,
        min(qrels.iteration) as iteration,
        count(unretrieved_judgements.doc_key) = 0 as is_retrieved
    from qrels
    semi join in_rounds using (collection_key)
    inner join topics using (collection_key, topic_id)
    inner join documents using (collection_key, doc_id)
    inner join judgements using (collection_key, topic_key, doc_key)
    left join unretrieved_judgements using (collection_key, topic_key, doc_key)
    group by all

),

-- the rounds that no run could contribute to: their documents were left out of the runs, because they were judged before.
-- A hundredth may come back, as another version of a document.
rounds as (

    select
        collection_key,
        iteration
    from in_qrels
    group by
        collection_key,
        iteration
    having 100 * count_if(is_retrieved) <= count(*)

),

-- one row per topic with judgements of these rounds
earlier as (

    select
        collection_key,
        topic_key,
        count(*) as n_judged,
        count_if(is_relevant) as n_relevant
    from in_qrels
    semi join rounds using (collection_key, iteration)
    group by
        collection_key,
        topic_key

)

select * from earlier
