-- One row per population, what the estimate starts from, width and number of common topics (0: not
-- adjusted): MAE of inference from topics, in RBP. `true scores`: the mean of those of the common topics,
-- which knows nothing of pools.
select
    population,
    case estimator when 'sampled' then 'true scores' else unjudged end as "from",
    case when estimator <> 'sampled' then width end as width,
    case when estimator <> 'unadjusted' then n_common_topics else 0 end as common_topics,
    avg(mae) as mae
from rpt_common_topic_errors
where
    collection_id = $collection
    and measure like 'RBP%'
    and estimator <> 'mixed'
group by all
order by
    population desc,
    "from" desc,
    width,
    common_topics
