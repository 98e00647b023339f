-- One row per population, treatment and number of common topics: the share of the 95 % intervals about the
-- adjusted score that contain the true score, in RBP; means over the widths. `ratio` and `regression` are t intervals
-- of the estimates that use the residuals.
select
    population,
    unjudged,
    n_common_topics as "common topics",
    avg(coverage) filter (where estimator = 'webber_park_topics' and method = 'normal') as "95 %: normal",
    avg(coverage) filter (where estimator = 'webber_park_topics' and method = 't') as "t",
    avg(coverage) filter (where method = 'bootstrap') as "bootstrap",
    avg(share_without_width) filter (where estimator = 'webber_park_topics' and method = 't') as "of no width",
    avg(mean_width) filter (where estimator = 'webber_park_topics' and method = 't') as "t: mean width",
    avg(coverage) filter (where estimator = 'ratio_common_topics' and method = 't') as "ratio",
    avg(mean_width) filter (where estimator = 'ratio_common_topics' and method = 't') as "ratio: mean width",
    avg(coverage) filter (where estimator = 'regression_common_topics' and method = 't') as "regression",
    avg(mean_width) filter (where estimator = 'regression_common_topics' and method = 't')
        as "regression: mean width"
from webber_park_intervals
where
    collection_id = $collection
    and measure like 'RBP%'
    and confidence = 0.95
group by
    population,
    unjudged,
    n_common_topics
order by
    population desc,
    unjudged desc,
    n_common_topics
