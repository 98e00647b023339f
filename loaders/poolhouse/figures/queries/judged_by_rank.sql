-- One row per kind of run and rank down to twice the pool depth: the share of documents that the qrels hold.
select
    ranks.collection_id,
    ranks.pooling_rank,
    case when ranks.is_pooled then 'pooled' else 'not pooled' end as runs,
    ranks.in_qrels_share,
    ranks.n_in_qrels,
    ranks.n_documents,
    collections.pool_depth
from audits.audit_ranks_in_qrels as ranks
inner join dim_collections as collections on ranks.collection_id = collections.collection_id
where list_contains($collections, ranks.collection_id)
order by
    ranks.pooling_rank,
    ranks.is_pooled desc
