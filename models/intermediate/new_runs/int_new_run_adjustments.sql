{{ config(materialized='table_macro', arguments=['collection', 'run_table']) }}
{%- set stored = ['int_pool_runs', 'int_pool_documents', 'int_pool_rankings', 'int_lone_contributions', 'int_member_losses'] -%}
{%- set given = ['int_candidates', 'int_levels', 'int_contributions', 'int_run_topics', 'int_rankings'] + stored -%}
-- The adjustments of the score of a new run. The run is the candidate of the pool of all pooled runs, to which it
-- contributed nothing, and the steps are those of the runs that contributed.

with

new_rankings as (

    select * from {{ ref('int_new_run_rankings') }}(collection, run_table)

),

-- one row: the collection
asked_collection as (

    select any_value(collection_key) as collection_key
    from new_rankings

),

{{ asked_pool(stored) }},

-- one row: the new run
int_candidates as (

    select
        collection_key,
        0 as pool_key,
        0 as run_key,
        0 as organization_key
    from asked_collection

),

-- no run leaves the pool with it
int_levels as (

    select 'run' as level

),

-- the documents that it would have contributed
int_contributions as (

    select
        collection_key,
        run_key,
        topic_key,
        doc_key,
        rank
    from new_rankings
    where is_above_pool_depth

),

-- the topics of all runs, including this run
int_run_topics as (

    select
        run_topics.collection_key,
        run_topics.run_key,
        run_topics.topic_key
    from asked_collection
    inner join {{ ref('int_run_topics') }} as run_topics
        on asked_collection.collection_key = run_topics.collection_key
    union all
    select distinct
        collection_key,
        run_key,
        topic_key
    from new_rankings

),

-- the rankings of all runs, including this run
int_rankings as not materialized (

    select
        rankings.collection_key,
        rankings.run_key,
        rankings.topic_key,
        rankings.doc_key,
        rankings.rank
    from asked_collection
    inner join {{ ref('int_rankings') }} as rankings
        on asked_collection.collection_key = rankings.collection_key
    union all
    select
        collection_key,
        run_key,
        topic_key,
        doc_key,
        rank
    from new_rankings

),

{{ step(
    'int_pool_rankings', given, called='int_candidate_rankings',
    instead={'int_pool_runs': 'int_candidates', 'int_rankings': 'new_rankings'}
) }},

{{ steps([
    'int_pool_pairs',
    'int_candidate_topic_scores',
    'int_candidate_scores',
    'int_adjustments_unadjusted',
    'int_withdrawal_exceptions',
    'int_pair_losses',
    'int_adjustments_webber_park_systems',
    'int_merged_rankings',
    'int_merged_counts',
    'int_unmerged_counts',
    'int_merge_effects',
    'int_bias_indicators',
    'int_adjustments_lipani',
    'int_adjustments',
], given + ['int_candidate_rankings']) }}

select
    unjudged,
    measure,
    estimator,
    adjustment
from int_adjustments
