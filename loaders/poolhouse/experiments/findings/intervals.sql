-- One row per population, treatment and number of common topics: how many of the 95 % intervals about the
-- adjusted score hold the true one, in RBP; means over the widths.
select
    population,
    unjudged,
    n_common_topics as "common topics",
    avg(coverage) filter (where method = 'normal') as "95 %: normal",
    avg(coverage) filter (where method = 't') as "t",
    avg(coverage) filter (where method = 'bootstrap') as "bootstrap",
    avg(share_without_width) filter (where method = 't') as "of no width",
    avg(mean_width) filter (where method = 't') as "t: mean width"
from rpt_interval_coverage
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
