-- question: Which topics separate the best run from the median?
-- about: topics
--
-- The AP of the best run on each topic, less the median of all runs there. `share_of_lead` is the part of its whole lead that it owes
-- to the topic: where a few topics make up most of it, the winner may be another one on other topics.
--
-- parameter: collection
with

topic_leaderboard as (

    select * from topic_leaderboard
    where collection_id = $collection

),

leaderboard as (

    select * from leaderboard
    where collection_id = $collection

),

-- one row: the first by name, where several share the first place
best_run as (

    select min(run_id) as run_id
    from leaderboard
    where rank = 1

),

-- one row per judged topic
leads as (

    select
        topic_leaderboard.topic_id,
        max(best_run.run_id) as best_run,
        max(topic_leaderboard.map) filter (where topic_leaderboard.run_id = best_run.run_id) as ap,
        median(topic_leaderboard.map) as median_ap
    from topic_leaderboard
    cross join best_run
    group by topic_leaderboard.topic_id

),

shares as (

    select
        *,
        ap - median_ap as lead,
        (ap - median_ap) / nullif(sum(ap - median_ap) over (), 0) as share_of_lead
    from leads

)

select * from shares
order by
    lead desc,
    topic_id

-- sample: --collection odd-one-out
