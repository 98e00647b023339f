with

judged_ranks as (

    select * from {{ ref('int_judged_ranks') }}

),

collections as (

    select * from {{ ref('int_collections') }}

),

named as (

    select
        collections.collection_id,
        judged_ranks.is_pooled,
        judged_ranks.pooling_rank,
        judged_ranks.pooling_rank <= judged_ranks.pool_depth as is_within_pool_depth,
        judged_ranks.n_documents,
        judged_ranks.n_in_qrels,
        cast(judged_ranks.n_in_qrels / judged_ranks.n_documents as double) as judged_share
    from judged_ranks
    inner join collections on judged_ranks.collection_key = collections.collection_key

)

select * from named
