-- One row per judged topic: the scores of two runs by the main measure; the topics on which they differ most come
-- first. The mean difference and its standard error are over all these topics.
with

scores as (

    select scores.*
    from fct_topic_scores as scores
    inner join dim_collections as collections
        on
            scores.collection_id = collections.collection_id
            and scores.measure = collections.main_measure
    where
        scores.collection_id = $collection
        and scores.judgement_set = 'full'
        and scores.unjudged = 'nonrelevant'

)

select
    first_run.measure,
    topics.topic_id,
    topics.title as topic_title,
    first_run.score,
    second_run.score as other_score,
    first_run.score - second_run.score as difference,
    avg(first_run.score - second_run.score) over () as mean_difference,
    stddev_samp(first_run.score - second_run.score) over () / sqrt(count(*) over ()) as standard_error,
    count(*) over () as n_topics
from scores as first_run
inner join scores as second_run on first_run.topic_id = second_run.topic_id
inner join dim_topics as topics
    on
        first_run.collection_id = topics.collection_id
        and first_run.topic_id = topics.topic_id
where
    first_run.run_id = $run_id
    and second_run.run_id = $other_run_id
order by
    abs(first_run.score - second_run.score) desc,
    topics.topic_id
