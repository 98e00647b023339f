-- One row per judged topic: the AP of two runs; the topics on which they differ most come first.
select
    topics.topic_id,
    topics.title as topic_title,
    first_run.map as score,
    second_run.map as other_score,
    first_run.map - second_run.map as difference
from topic_leaderboard as first_run
inner join topic_leaderboard as second_run
    on
        first_run.collection_id = second_run.collection_id
        and first_run.topic_id = second_run.topic_id
inner join dim_topics as topics
    on
        first_run.collection_id = topics.collection_id
        and first_run.topic_id = topics.topic_id
where
    first_run.collection_id = $collection
    and first_run.run_id = $run_id
    and second_run.run_id = $other_run_id
order by
    abs(first_run.map - second_run.map) desc,
    topics.topic_id
