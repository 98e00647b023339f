-- One row per measure and run that was not pooled: its score and place as it is and as advised, the scores that are
-- possible, and those within the expected error of the advised one.
select
    measure,
    run_id,
    organization,
    score,
    upper_bound,
    advice,
    adjusted_score,
    greatest(adjusted_score - expected_error, lower_bound) as error_low,
    least(adjusted_score + expected_error, upper_bound_if_pooled) as error_high,
    rank,
    adjusted_rank,
    estimator,
    expected_error
from adjusted_leaderboard
where
    collection_id = $collection
    and not is_pooled
order by
    rank - adjusted_rank desc nulls last,
    upper_bound - score desc,
    measure,
    run_id
