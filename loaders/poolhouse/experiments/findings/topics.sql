-- One row per population, kind of estimate, width and number of common topics (0: not
-- adjusted): MAE of inference from topics, in RBP. `true scores` is the mean of the true scores on the common topics,
-- which does not use the pool. `ratio` and `regression` are `nonrelevant` with the residuals.
select *
from (
    select
        population,
        case estimator
            when 'sampled' then 'true scores'
            when 'ratio_common_topics' then 'ratio'
            when 'regression_common_topics' then 'regression'
            else unjudged
        end as "from",
        case when estimator <> 'sampled' then width end as width,
        case when estimator <> 'unadjusted' then n_common_topics else 0 end as common_topics,
        avg(mae) as mae
    from webber_park_errors
    where
        collection_id = $collection
        and measure like 'RBP%'
        and estimator <> 'mixed'
    group by all
)
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
