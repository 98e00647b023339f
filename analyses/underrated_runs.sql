-- question: Which runs would climb if all were judged?
-- about: trust
--
-- Runs outside the pool, with the score and the place that are expected if
-- every document down to the cutoff were judged (`if_judged`). `expected_error`
-- is the error that is expected of it; a smaller change than this error means
-- little. A run whose score cannot be told has none; `upper_bound` is the most
-- that it can be. The measure must be one whose bias is estimated
-- (`poolhouse settings bias_measures`).
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
        upper_bound,
        if_judged,
        expected_error,
        rank,
        if_judged_rank
    from adjusted_leaderboard

)

select * from steps
order by
    rank - if_judged_rank desc nulls last,
    rank asc,
    run_id asc

-- sample: --collection shallow-pool
--                                                                if_judged_
-- run_id    score  upper_bound  if_judged  expected_error  rank        rank
-- ─────────────────────────────────────────────────────────────────────────
-- jasper2  0.5367       0.7533     0.6188          0.0240     8           1
-- agate3   0.5367       0.6700     0.5815          0.0145     8           6
-- jasper1  0.4600       0.7667     0.5579          0.0339    11           9
