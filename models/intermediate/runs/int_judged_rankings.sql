{{ config(materialized='table') }}

with

{{ imports('int_rankings', qrels='int_judgements') }},

-- the documents of every ranking that are in the qrels; the other documents only affect the ranks
judged as (

    select
        rankings.collection_key,
        rankings.run_key,
        rankings.topic_key,
        rankings.doc_key,
        rankings.rank,
        qrels.grade,
        case when qrels.is_judged then qrels.is_relevant end as is_relevant
    from rankings
    inner join qrels using (collection_key, topic_key, doc_key)

)

select * from judged
