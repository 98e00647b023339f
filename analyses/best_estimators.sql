-- question: Which estimate is best, and how large is its error?
-- about: trust
--
-- For each collection and measure, the estimator with the lowest error of those
-- that a build applies to all runs, when one organization at a time is left out
-- of the pool, beside the error of the score that is not adjusted. An estimator
-- that only `adjust` applies may have a lower one (`fct_estimator_errors`).
-- Where the two errors are close, do not adjust the score. Where
-- `beyond_pool_depth` is true, the measure looks deeper than the pool, and the
-- errors are uncertain themselves.
with

estimators as (

    select * from dim_recommended_estimators

),

errors as (

    select
        collection_id,
        measure,
        estimator,
        mae,
        unadjusted_mae,
        beyond_pool_depth
    from estimators

)

select errors.*
from errors
inner join dim_measures as measures on errors.measure = measures.measure
order by
    errors.collection_id,
    measures.position

-- sample:
--                                                     unadjusted_  beyond_pool_
-- collection_id  measure  estimator              mae          mae         depth
-- ─────────────────────────────────────────────────────────────────────────────
-- deep-pool      P@5      expected_relevance  0.0025       0.0028         False
-- deep-pool      P@10     expected_relevance  0.0033       0.0060         False
-- deep-pool      P@20     expected_relevance  0.0026       0.0083         False
-- deep-pool      P@30     expected_relevance  0.0028       0.0106         False
-- deep-pool      P@100    expected_relevance  0.0018       0.0107          True
-- 5 of 18 rows
