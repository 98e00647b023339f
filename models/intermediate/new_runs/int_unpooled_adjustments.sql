{{ config(materialized='table', meta={'rule': 'by_collection'}) }}
{%- set stored = ['int_pool_runs', 'int_pool_documents', 'int_pool_rankings', 'int_lone_contributions', 'int_member_losses'] -%}
{%- set given = ['int_candidates', 'int_levels', 'int_contributions', 'int_run_topics', 'int_rankings'] + stored -%}
-- The adjustments of the scores of the loaded runs that were not pooled by Webber and Park's estimators, as in
-- int_new_run_adjustments, for all of these runs at once. The estimator of Lipani et al. would merge each of them
-- with each pooled run, which takes a quarter of the build of TREC-8 (docs/decisions/leaderboards.md).

with

{{ pool_at_hand(stored) }},

int_candidates as (

    select * from {{ ref('int_unpooled_candidates') }}
    where {{ is_at_hand() }}

),

int_run_topics as (

    select * from {{ ref('int_run_topics') }}
    where {{ is_at_hand() }}

),

int_rankings as not materialized (

    select * from {{ ref('int_rankings') }}
    where {{ is_at_hand() }}

),

judged_rankings as (

    select * from {{ ref('int_judged_rankings') }}
    where
        {{ is_at_hand() }}
        and is_relevant is not null

),

pool_measures as (

    select * from {{ ref('int_pool_measures') }}
    where pool_key = 0

),

judged_topics as (

    select * from {{ ref('int_judged_topics') }}
    where {{ is_at_hand() }}

),

pool_depths as (

    select * from {{ ref('int_pool_depths') }}
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

-- one row per run and measure: number of documents down to the cutoff
top_documents as (

    select
        int_candidates.run_key,
        pool_measures.measure,
        pool_measures.cutoff,
        sum(least(int_run_topics.n_retrieved, pool_measures.cutoff)) as n_documents
    from int_candidates
    inner join int_run_topics on int_candidates.run_key = int_run_topics.run_key
    cross join pool_measures
    group by
        int_candidates.run_key,
        pool_measures.measure,
        pool_measures.cutoff

),

-- the same rows with the number of those that the qrels do not judge
unjudged_documents as (

    select
        top_documents.run_key,
        top_documents.measure,
        any_value(top_documents.n_documents) - count(judged_rankings.rank) as n_unjudged
    from top_documents
    left join judged_rankings
        on
            top_documents.run_key = judged_rankings.run_key
            and top_documents.cutoff >= judged_rankings.rank
    group by
        top_documents.run_key,
        top_documents.measure

),

-- one row per run, measure and estimator
adjusted as (

    select
        adjustments.collection_key,
        adjustments.run_key,
        adjustments.measure,
        adjustments.estimator,
        cast({{ unless_settled('adjustments.adjustment', 0) }} as double) as adjustment
    from int_adjustments_webber_park_systems as adjustments
    inner join unjudged_documents
        on
            adjustments.run_key = unjudged_documents.run_key
            and adjustments.measure = unjudged_documents.measure
    where adjustments.unjudged = 'nonrelevant'

)

select * from adjusted
