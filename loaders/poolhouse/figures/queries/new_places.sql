-- One row per measure and run that was not pooled: its score and place as it is and if every document were judged, the
-- scores that are possible, and those within the interval of the latter; of an estimator without intervals, those within
-- its expected error.
select
    collection_id,
    measure,
    run_id,
    organization,
    score,
    upper_bound,
    advice,
    if_judged,
    -- without an error there is no line of it; greatest and least alone would leave out the null
    case
        when expected_error is not null
            then coalesce(if_judged_95_low, greatest(if_judged - expected_error, lower_bound))
    end as error_low,
    case
        when expected_error is not null
            then coalesce(if_judged_95_high, least(if_judged + expected_error, upper_bound))
    end as error_high,
    rank,
    if_judged_rank,
    estimator,
    expected_error
from adjusted_leaderboard
where
    list_contains($collections, collection_id)
    and not is_pooled
order by
    upper_bound - score desc,
    measure,
    run_id
