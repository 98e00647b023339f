with

{{ imports('int_ranks_in_qrels', 'int_collections') }},

named as (

    select
        collections.collection_id,
        ranks_in_qrels.is_pooled,
        ranks_in_qrels.pooling_rank,
        ranks_in_qrels.pooling_rank <= ranks_in_qrels.pool_depth as is_within_pool_depth,
        ranks_in_qrels.n_documents,
        ranks_in_qrels.n_in_qrels,
        cast(ranks_in_qrels.n_in_qrels / ranks_in_qrels.n_documents as double) as in_qrels_share
    from ranks_in_qrels
    inner join collections on ranks_in_qrels.collection_key = collections.collection_key

)

select * from named
