{{ config(materialized='table') }}

with

{{ imports('int_rankings', 'int_judgements', 'int_judged_topics') }},

-- one row per run and judged topic that it answers
answered as (

    select
        rankings.collection_key,
        rankings.run_key,
        rankings.topic_key,
        count(*) as n_retrieved,
        count(judgements.grade) as n_retrieved_in_qrels,
        -- ranks before the first document that is not in the qrels; all ranks where all documents are
        coalesce(
            min(rankings.pooling_rank) filter (where judgements.grade is null) - 1,
            count(*)
        ) as n_leading_in_qrels,
        -- ranks before the second one
        coalesce(
            (min(rankings.pooling_rank, 2) filter (where judgements.grade is null))[2] - 1,
            count(*)
        ) as n_leading_with_one_gap,
        case
            when min(rankings.given_rank) < max(rankings.given_rank) then corr(rankings.rank, rankings.given_rank)
        end as correlation_of_given_ranks
    from rankings
    inner join judged_topics using (collection_key, topic_key)
    left join judgements using (collection_key, topic_key, doc_key)
    group by all

)

select * from answered
