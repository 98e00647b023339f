-- One row per population, kind of estimate, width and number of common topics (0: not
-- adjusted): MAE of inference from topics, in RBP. `true scores` is the mean of the true scores on the common topics,
-- which does not use the pool. `ratio` and `regression` are `nonrelevant` with the residuals.
with

errors_of_estimates as (

    select
        errors.population,
        case estimators.estimator
            when 'sampled' then 'true scores'
            when 'ratio_common_topics' then 'ratio'
            when 'regression_common_topics' then 'regression'
            else errors.unjudged
        end as "from",
        case when estimators.estimator <> 'sampled' then errors.width end as width,
        case when estimators.estimator <> 'unadjusted' then errors.n_common_topics else 0 end as common_topics,
        avg(errors.mae) as mae
    from experiments.rpt_common_topic_errors as errors
    inner join dim_estimators as estimators on errors.estimator = estimators.estimator
    where
        errors.collection_id = $collection
        and errors.measure like 'RBP%'
        and estimators.estimator <> 'mixed'
    group by all

)

select *
from errors_of_estimates
order by
    population desc,
    case "from"
        when 'true scores' then 1
        when 'nonrelevant' then 2
        when 'ratio' then 3
        when 'regression' then 4
        else 5
    end,
    width,
    common_topics
