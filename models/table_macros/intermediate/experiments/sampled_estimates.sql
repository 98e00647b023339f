{{ config(arguments=['collection', 'drawn', 'ranked', 'depth']) }}
-- The estimates for the unpooled run of each sample.

with

{{ sampled_pools() }},

{{ estimates_of_pools(relations_of_pools()) }}

-- one row per sample, treatment, measure and estimator
select
    pool_key as sample,
    unjudged,
    measure,
    estimator,
    true_score,
    adjusted_score as estimate
from int_adjusted_scores
