with

{{ imports('int_collections', 'int_runs', 'int_topics', 'int_measures') }},

-- the scores with all judgements, and with judgement sets that lack some
topic_scores as (

    select
        'full' as judgement_set,
        *
    from {{ ref('int_topic_scores') }}
    union all by name
    select * from {{ ref('int_left_out_topic_scores') }}

),

named as (

    select
        collections.collection_id,
        runs.run_id,
        topics.topic_id,
        topic_scores.judgement_set,
        topic_scores.unjudged,
        topic_scores.measure,
        measures.trec_eval_name,
        topic_scores.score,
        topic_scores.is_answered
    from topic_scores
    inner join collections using (collection_key)
    inner join runs using (run_key)
    inner join topics using (collection_key, topic_key)

    inner join measures using (measure)

)

select * from named
