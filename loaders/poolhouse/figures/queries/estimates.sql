-- One row per measure, pooled run and estimate: unadjusted, and adjusted by the recommended estimator and clipped to
-- the bounds of the run.
select
    scores.measure,
    scores.run_id,
    runs.organization,
    case when scores.estimator = 'unadjusted' then 'not adjusted' else 'adjusted' end as estimate,
    scores.estimator,
    scores.true_score,
    scores.clipped_score as adjusted_score,
    scores.clipped_score - scores.true_score as error
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
    scores.collection_id = $collection
    and scores.level = 'organization'
    and scores.subset = 'all'
    and scores.unjudged = 'nonrelevant'
order by
    abs(scores.clipped_score - scores.true_score) desc,
    scores.measure,
    scores.run_id,
    scores.estimator
