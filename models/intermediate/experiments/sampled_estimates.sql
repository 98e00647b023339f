{{ config(materialized='own_macro', arguments=['collection', 'drawn', 'ranked', 'depth']) }}
{%- set given = sampled_relations() + ['int_adjustments_lipani', 'int_pooled_runs'] -%}
{%- set scored = [
    'int_pool_rankings',
    'int_candidate_rankings',
    'int_candidate_topic_scores',
    'int_candidate_scores',
] %}
-- The estimates for the unpooled run of each sample. The argument has the name of a column:
-- noqa: disable=RF03

with

{{ sampled_pools() }},

-- merging is used only for the pool of all pooled runs
int_adjustments_lipani as (

    select
        collection_key,
        pool_key,
        'run' as level,
        run_key,
        'nonrelevant' as unjudged,
        'P' as measure,
        'lipani' as estimator,
        0.0 as adjustment
    from int_candidates
    where false

),

{{ steps(scored, given) }},

-- the estimates are those of the papers, which know no bounds
int_candidate_bounds as (

    select
        collection_key,
        pool_key,
        run_key,
        level,
        measure,
        score as lower_bound,
        score as upper_bound
    from int_candidate_scores
    where
        judged_by = 'pool'
        and unjudged = 'nonrelevant'

),

{{ steps([
    'int_adjustments_unadjusted',
    'int_pool_pairs',
    'int_lone_contributions',
    'int_withdrawal_exceptions',
    'int_member_losses',
    'int_pair_losses',
    'int_adjustments_webber_park_systems',
    'int_other_contributors',
    'int_pool_precisions',
    'int_run_precisions',
    'int_document_support',
    'int_relevance_examples',
    'int_relevance_factors',
    'int_expected_relevance',
    'int_expected_gains',
    'int_relevance_deviations',
    'int_adjustments_expected_relevance',
    'int_adjustments',
    'int_adjusted_scores',
], given + scored + ['int_candidate_bounds']) }}

-- one row per sample, treatment, measure and estimator
select
    pool_key as sample,
    unjudged,
    measure,
    estimator,
    true_score,
    adjusted_score as estimate
from int_adjusted_scores
