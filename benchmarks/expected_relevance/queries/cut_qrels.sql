-- The judgements of the documents that a pooled run has down to this depth, in the pooling order.
select distinct
    topics.topic_id,
    documents.doc_id,
    judgements.grade
from intermediate.int_collections as collections
inner join intermediate.int_pooled_runs as pooled_runs using (collection_key)
inner join intermediate.int_rankings as rankings using (collection_key, run_key)
inner join intermediate.int_judgements as judgements using (collection_key, topic_key, doc_key)
inner join intermediate.int_topics as topics using (collection_key, topic_key)
inner join intermediate.int_documents as documents using (collection_key, doc_key)
where
    collections.collection_id = $collection
    and rankings.pooling_rank <= $depth
order by all
