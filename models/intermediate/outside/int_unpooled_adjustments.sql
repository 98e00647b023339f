{{ config(materialized='table') }}
-- The adjustments of the scores of the loaded runs that were not pooled, as in int_new_run_estimates, for all of these
-- runs at once. The estimator of Lipani et al. would merge each of them with each pooled run, which takes a quarter of
-- the build of TREC-8 (docs/decisions/leaderboards.md).

with

{{ imports(
    'int_measure_weights', int_candidates='int_unpooled_runs', int_contributions='int_unpooled_contributions',
    int_expected_relevance='int_unpooled_relevance', int_run_topics='int_run_topics',
    int_pool_measures='int_pool_measures'
) }},

{{ pool_at_hand(stored_pool()) }},

{{ adjustments_outside_pool(stored_pool() + ['int_run_topics', 'int_pool_measures', 'int_expected_relevance']) }},

-- one row per run, measure and estimator
adjustments as (

    select * from int_adjustments_webber_park_systems
    where unjudged = 'nonrelevant'
    union all by name
    select * from int_adjustments_expected_relevance
    union all by name
    select * from int_adjustments_filled

)

select
    collection_key,
    run_key,
    measure,
    estimator,
    cast(adjustment as double) as adjustment,
    standard_error,
    degrees_of_freedom
from adjustments
