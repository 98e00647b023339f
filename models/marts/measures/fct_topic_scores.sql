with

{{ imports('int_topic_scores', 'int_collections', 'int_runs', 'int_topics', 'int_measures') }},

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
    inner join collections on topic_scores.collection_key = collections.collection_key
    inner join runs on topic_scores.run_key = runs.run_key
    inner join topics
        on
            topic_scores.collection_key = topics.collection_key
            and topic_scores.topic_key = topics.topic_key

    inner join measures on topic_scores.measure = measures.measure

)

select * from named
