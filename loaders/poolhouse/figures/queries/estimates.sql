-- One row per measure, pooled run and estimate: unadjusted, and adjusted by the recommended estimator and clipped to
-- the bounds of the run, with the interval of 95 %.
select
    scores.collection_id,
    scores.measure,
    scores.run_id,
    runs.organization,
    case when scores.estimator = 'unadjusted' then 'not adjusted' else 'adjusted' end as estimate,
    scores.estimator,
    scores.true_score,
    scores.clipped_score as adjusted_score,
    scores.clipped_score - scores.true_score as error,
    -- without an interval there is no line of it; greatest and least alone would leave out the null
    case
        when scores.ci_95_low is not null
            then greatest(scores.ci_95_low, scores.lower_bound) - scores.true_score
    end as error_low,
    case
        when scores.ci_95_high is not null
            then least(scores.ci_95_high, scores.upper_bound) - scores.true_score
    end as error_high
from fct_adjusted_scores as scores
inner join dim_runs as runs
    on
        scores.collection_id = runs.collection_id
        and scores.run_id = runs.run_id
inner join dim_recommended_estimators as recommended
    on
        scores.collection_id = recommended.collection_id
        and scores.measure = recommended.measure
        and scores.estimator in ('unadjusted', recommended.estimator)
where
    list_contains($collections, scores.collection_id)
    and scores.level = 'organization'
    and scores.subset = 'all'
    and scores.unjudged = 'nonrelevant'
order by
    abs(scores.clipped_score - scores.true_score) desc,
    scores.measure,
    scores.run_id,
    scores.estimator
