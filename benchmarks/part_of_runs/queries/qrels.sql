-- The qrels without the documents that the organizations `held` alone contributed.
with

contributed as (

    select
        contributions.collection_key,
        contributions.topic_key,
        contributions.doc_key,
        bool_and(list_contains($held, contributions.organization_key)) as is_lost
    from intermediate.int_contributions as contributions
    inner join intermediate.int_pooled_runs as pooled_runs using (collection_key, run_key)
    group by all

)

select
    topics.topic_id,
    0 as iteration,
    documents.doc_id,
    judgements.grade
from intermediate.int_judgements as judgements
inner join intermediate.int_collections as collections using (collection_key)
inner join intermediate.int_topics as topics using (collection_key, topic_key)
inner join intermediate.int_documents as documents using (collection_key, doc_key)
left join contributed using (collection_key, topic_key, doc_key)
where
    collections.collection_id = $collection
    and judgements.is_judged
    and not coalesce(contributed.is_lost, false)
order by all
