-- question: Which estimate to believe, and how far is it off?
-- about: trust
--
-- For each collection and measure the estimator with the lowest error when an organization at a time is left out of the
-- pool, beside the error of not adjusting at all. Where the two are close, leave the score as it is. `beyond_pool_depth`: the measure
-- looks deeper than the pool, and the errors are uncertain themselves.
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

select * from errors
order by
    collection_id,
    measure

-- sample:
