{{ config(materialized='table') }}
-- The adjustments of the scores of the loaded runs that were not pooled by Webber and Park's estimators, as in
-- int_new_run_estimates, for all of these runs at once. The estimator of Lipani et al. would merge each of them
-- with each pooled run, which takes a quarter of the build of TREC-8 (docs/decisions/leaderboards.md).

with

{{ imports(
    'int_runs', 'int_rankings', 'int_judged_topics', 'int_pool_depths', int_run_topics='int_run_topics'
) }},

{{ pool_at_hand(stored_pool()) }},

-- one row per run that was not pooled and answers a judged topic, where there is a pool
int_candidates as (

    select
        runs.collection_key,
        0 as pool_key,
        runs.run_key,
        runs.organization_key
    from runs
    semi join int_run_topics on runs.run_key = int_run_topics.run_key
    semi join int_pool_runs as pools on runs.collection_key = pools.collection_key
    anti join int_pool_runs as pooled_runs on runs.run_key = pooled_runs.run_key

),

-- the documents that they would have contributed
int_contributions as (

    select
        rankings.collection_key,
        rankings.run_key,
        rankings.topic_key,
        rankings.doc_key,
        rankings.rank
    from rankings
    inner join int_candidates
        on
            rankings.collection_key = int_candidates.collection_key
            and rankings.run_key = int_candidates.run_key
    inner join judged_topics
        on
            rankings.collection_key = judged_topics.collection_key
            and rankings.topic_key = judged_topics.topic_key
    inner join pool_depths
        on
            rankings.collection_key = pool_depths.collection_key
            and {{ is_contribution('rankings.pooling_rank', 'pool_depths.pool_depth') }}

),

{{ outside_pool(stored_pool() + ['int_run_topics']) }},

-- one row per run, measure and estimator
adjustments as (

    select
        collection_key,
        run_key,
        measure,
        estimator,
        cast(adjustment as double) as adjustment
    from int_adjustments_webber_park_systems
    where unjudged = 'nonrelevant'

)

select * from adjustments
