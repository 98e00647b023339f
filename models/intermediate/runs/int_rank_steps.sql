{{ config(materialized='table') }}

with

{{ imports('int_rankings', 'int_judgements', 'int_judged_topics', 'int_run_topics') }},

-- one row per run and rank that any of its lists reaches
ranks as (

    select
        rankings.collection_key,
        rankings.run_key,
        rankings.pooling_rank,
        count(*) as n_documents
    from rankings
    inner join judged_topics using (collection_key, topic_key)
    group by all

),

-- documents that are in the qrels, with the next document of their list that is in the qrels
in_qrels as (

    select
        rankings.collection_key,
        rankings.run_key,
        rankings.topic_key,
        rankings.pooling_rank,
        lead(rankings.pooling_rank) over (
            partition by rankings.run_key, rankings.topic_key
            order by rankings.pooling_rank
        ) as next_rank_in_qrels
    from rankings
    inner join judgements using (collection_key, topic_key, doc_key)

),

-- one row per run and rank with a document in the qrels
counted as (

    select
        in_qrels.run_key,
        in_qrels.pooling_rank,
        count(*) as n_in_qrels,
        count(*) filter (where in_qrels.pooling_rank < run_topics.n_retrieved) as n_going_on,
        count(*) filter (where in_qrels.next_rank_in_qrels = in_qrels.pooling_rank + 1) as n_both_in_qrels
    from in_qrels
    inner join run_topics using (collection_key, run_key, topic_key)
    group by all

),

-- one row per run and rank, with what the qrels contain at the next rank
paired as (

    select
        ranks.collection_key,
        ranks.run_key,
        ranks.pooling_rank,
        ranks.n_documents,
        lead(ranks.n_documents, 1, 0) over next_ranks as n_pairs,
        coalesce(counted.n_in_qrels, 0) as n_in_qrels,
        coalesce(lead(counted.n_in_qrels) over next_ranks, 0) as n_next_in_qrels,
        coalesce(counted.n_going_on, 0) as n_going_on,
        coalesce(counted.n_both_in_qrels, 0) as n_both_in_qrels
    from ranks
    left join counted using (run_key, pooling_rank)
    window next_ranks as (
        partition by ranks.run_key
        order by ranks.pooling_rank
    )

),

steps as (

    select
        collection_key,
        run_key,
        pooling_rank,
        n_documents,
        n_in_qrels,
        n_pairs,
        n_next_in_qrels,
        n_going_on - n_both_in_qrels as n_falls,
        n_next_in_qrels - n_both_in_qrels as n_rises
    from paired

)

select * from steps
