with

{{ imports('int_runs') }},

run_scores as (

    select * from {{ ref('int_run_scores') }}
    where
        measure = 'AP'
        and unjudged = 'nonrelevant'

),

-- one row per run: its score, compared with the other runs of the collection
compared as (

    select
        runs.collection_key,
        runs.run_id,
        runs.organization,
        run_scores.score_all_topics as score,
        max(run_scores.score_all_topics) over of_collection as best_of_collection,
        median(run_scores.score_all_topics) over of_collection as median_of_collection,
        rank() over (
            partition by run_scores.collection_key
            order by {{ comparable('run_scores.score_all_topics') }} desc
        ) as score_rank
    from run_scores
    inner join runs on run_scores.run_key = runs.run_key
    window of_collection as (partition by run_scores.collection_key)

),

-- one row per collection and organization
scored as (

    select
        collection_key,
        organization,
        min_by(run_id, (score_rank, run_id)) as best_run_id,
        max(score) as best_score,
        median(score) as median_score,
        max(score) / nullif(max(best_of_collection), 0) as relative_best_score,
        median(score) / nullif(max(median_of_collection), 0) as relative_median_score,
        min(score_rank) as best_rank
    from compared
    group by all

)

select * from scored
