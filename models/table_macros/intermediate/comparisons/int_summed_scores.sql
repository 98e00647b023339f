{{ config(materialized='own_macro', arguments=['scores_table']) }}

with

{{ imports('measures') }},

topic_scores as (

    select * from query_table(scores_table)

),

-- one row per run and measure
summed_scores as (

    select
        topic_scores.run_id,
        topic_scores.measure,
        topic_scores.trec_eval_name,
        any_value(measures.aggregation) as aggregation,
        {{ over_topics('topic_scores.score', 'measures.aggregation', 'topic_scores.is_answered') }} as score,
        {{ over_topics('topic_scores.score', 'measures.aggregation', 'true') }} as score_all_topics,
        cast(count(*) filter (where topic_scores.is_answered) as integer) as n_topics,
        cast(count(*) as integer) as n_judged_topics,
        cast(sum(topic_scores.n_top_documents) as integer) as n_top_documents,
        cast(sum(topic_scores.n_unjudged) as integer) as n_unjudged
    from topic_scores
    inner join measures on measures.name = {{ asked_name('topic_scores.measure') }}
    group by all

)

select * from summed_scores
