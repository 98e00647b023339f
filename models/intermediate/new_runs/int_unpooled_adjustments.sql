{{ config(materialized='table') }}
{%- set stored = ['int_pool_runs', 'int_pool_documents', 'int_pool_rankings', 'int_lone_contributions', 'int_member_losses'] -%}
{%- set given = ['int_candidates', 'int_levels', 'int_contributions', 'int_run_topics', 'int_rankings'] + stored -%}
-- The adjustments of the scores of the loaded runs that were not pooled by Webber and Park's estimators, as in
-- int_new_run_adjustments, for all of these runs at once. The estimator of Lipani et al. would merge each of them
-- with each pooled run, which takes a quarter of the build of TREC-8 (docs/decisions/leaderboards.md).

with

{{ imports(
    'int_judged_topics', 'int_pool_depths', int_candidates='int_unpooled_candidates',
    int_run_topics='int_run_topics'
) }},

{{ pool_at_hand(stored) }},

int_rankings as not materialized (

    select * from {{ ref('int_rankings') }}
    where {{ is_at_hand() }}

),

-- no run leaves the pool with it
int_levels as (

    select 'run' as level

),

-- the documents that they would have contributed
int_contributions as (

    select
        int_rankings.collection_key,
        int_rankings.run_key,
        int_rankings.topic_key,
        int_rankings.doc_key,
        int_rankings.rank
    from int_rankings
    inner join int_candidates
        on
            int_rankings.collection_key = int_candidates.collection_key
            and int_rankings.run_key = int_candidates.run_key
    inner join judged_topics
        on
            int_rankings.collection_key = judged_topics.collection_key
            and int_rankings.topic_key = judged_topics.topic_key
    inner join pool_depths
        on
            int_rankings.collection_key = pool_depths.collection_key
            and {{ is_contribution('int_rankings.pooling_rank', 'pool_depths.pool_depth') }}

),

{{ step(
    'int_pool_rankings', given, called='int_candidate_rankings', instead={'int_pool_runs': 'int_candidates'}
) }},

{{ steps([
    'int_pool_pairs',
    'int_withdrawal_exceptions',
    'int_pair_losses',
    'int_adjustments_webber_park_systems',
], given + ['int_candidate_rankings']) }},

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
