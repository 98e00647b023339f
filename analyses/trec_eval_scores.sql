-- question: What does trec_eval print for a run?
-- about: runs
--
-- Means over the topics that the run answers, as trec_eval has them without -c; `score_all_topics` is with -c. `poolhouse score`
-- prints the same of a run that is not loaded.
--
-- parameter: collection
-- parameter: run_id = (select min(run_id) from leaderboard where collection_id = $collection and rank = 1)
with

run_scores as (

    select * from fct_run_scores
    where
        collection_id = $collection
        and run_id = $run_id
        and judgement_set = 'full'
        and unjudged = 'nonrelevant'
        and trec_eval_name is not null

),

named as (

    select
        trec_eval_name,
        'all' as topics,
        score,
        score_all_topics,
        n_topics
    from run_scores

)

select * from named
order by trec_eval_name

-- sample: --collection odd-one-out --run-id owl1
