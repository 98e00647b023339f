-- question: Where would a run stand by other judgements?
-- about: judgements
--
-- The run's score by each judgement set: all of them, and less what it, or its organization, alone contributed. Its place is
-- the one among the other runs by all judgements, whose scores stay as they are. A run that was not pooled contributed nothing, and has
-- the same score by each.
--
-- parameter: collection
-- parameter: run_id = (select min(run_id) from leaderboard where collection_id = $collection and rank = 1)
with

scores as (

    select * from fct_run_scores
    where
        collection_id = $collection
        and measure = 'AP'

),

-- one row per judgement set and treatment
of_run as (

    select * from scores
    where run_id = $run_id

),

-- one row per other run and treatment
of_others as (

    select * from scores
    where
        run_id <> $run_id
        and judgement_set = 'full'

),

placed as (

    select
        of_run.unjudged,
        of_run.judgement_set,
        of_run.score_all_topics as map,
        1 + count(*) filter (where of_others.score_all_topics > of_run.score_all_topics) as place
    from of_run
    left join of_others on of_run.unjudged = of_others.unjudged
    group by
        of_run.unjudged,
        of_run.judgement_set,
        of_run.score_all_topics

)

select * from placed
order by
    unjudged desc,
    map desc,
    judgement_set

-- sample: --collection odd-one-out --run-id owl1
