-- One row per measure and run that was not pooled: its score and place with and without the recommended adjustment.
select
    measure,
    run_id,
    organization,
    score,
    adjusted_score,
    rank,
    adjusted_rank,
    estimator,
    expected_error
from adjusted_leaderboard
where
    collection_id = $collection
    and not is_pooled
order by
    rank - adjusted_rank desc,
    adjustment desc,
    measure,
    run_id
