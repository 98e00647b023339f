-- One row per judged topic: the scores of two runs by the main measure; the topics on which they differ most come
-- first. The mean difference and its standard error are over all these topics.
with

-- one row per collection: its two runs
pairs as (

    select
        unnest($collections) as collection_id,
        unnest($run_id) as run_id,
        unnest($other_run_id) as other_run_id

),

-- one row per topic of a run that is not loaded
scores_of_new_runs as (

    select unnest(of_a_topic)
    from (
        select
            unnest(flatten(cast(
                $new_scores as
                struct(collection_id varchar, run_id varchar, measure varchar, topic_id varchar, score double)[][]
            ))) as of_a_topic
    )

),

-- a new run hides the loaded run of its name
scores as (

    select
        scores.collection_id,
        scores.run_id,
        scores.measure,
        scores.topic_id,
        scores.score
    from fct_topic_scores as scores
    inner join dim_collections as collections
        on
            scores.collection_id = collections.collection_id
            and scores.measure = collections.main_measure
    where
        list_contains($collections, scores.collection_id)
        and scores.judgement_set = 'full'
        and scores.unjudged = 'nonrelevant'
        and scores.run_id not in (select new.run_id from scores_of_new_runs as new)

    union all

    select * from scores_of_new_runs

)

select
    pairs.collection_id,
    first_run.measure,
    topics.topic_id,
    topics.title as topic_title,
    first_run.score,
    second_run.score as other_score,
    first_run.score - second_run.score as difference,
    avg(first_run.score - second_run.score) over same_pair as mean_difference,
    stddev_samp(first_run.score - second_run.score) over same_pair / sqrt(count(*) over same_pair) as standard_error,
    count(*) over same_pair as n_topics
from pairs
inner join scores as first_run
    on
        pairs.collection_id = first_run.collection_id
        and pairs.run_id = first_run.run_id
inner join scores as second_run
    on
        pairs.collection_id = second_run.collection_id
        and pairs.other_run_id = second_run.run_id
        and first_run.topic_id = second_run.topic_id
inner join dim_topics as topics
    on
        first_run.collection_id = topics.collection_id
        and first_run.topic_id = topics.topic_id
window same_pair as (partition by pairs.collection_id)
order by
    abs(first_run.score - second_run.score) desc,
    topics.topic_id
