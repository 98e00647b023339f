-- question: Which runs would climb, had they been pooled?
-- about: trust
--
-- Runs outside the pool with the score that the best estimator for this collection expects of them, and the place that it would
-- give. `expected_error` is how far that estimator is off here on average: a smaller step is no news. The measure is one
-- whose bias is estimated (`poolhouse settings bias_measures`).
--
-- parameter: collection
-- parameter: measure = 'P@10'
with

adjusted_leaderboard as (

    select * from adjusted_leaderboard
    where
        collection_id = $collection
        and measure = $measure
        and not is_pooled

),

steps as (

    select
        run_id,
        score,
        adjusted_score,
        expected_error,
        rank,
        adjusted_rank
    from adjusted_leaderboard

)

select * from steps
order by
    rank - adjusted_rank desc,
    rank,
    run_id

-- sample: --collection shallow-pool
