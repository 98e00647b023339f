{{ config(materialized='table') }}
{%- set given = ['int_levels', 'int_contributions'] -%}
{%- set common = {
    'int_candidates': 'candidates',
    'int_pool_runs': 'candidates',
    'int_pool_documents': 'pool_documents',
    'int_pool_measures': 'pool_measures',
    'int_rankings': 'rankings',
} -%}
-- The scores of the runs that were judged on common topics, with the pools of judgements. The steps are those of
-- the runs that leave a pool.

with

{{ imports(
    candidates='int_common_candidates', pool_documents='int_common_pool_documents',
    pool_measures='int_common_pool_measures'
) }},

rankings as (

    select * from {{ ref('int_rankings') }}
    where
        {{ is_at_hand() }}
        and run_key in (select candidates.run_key from candidates)

),

-- no run leaves these pools, and no run contributed to them
int_levels as (

    select 'run' as level

),

int_contributions as (

    select
        collection_key,
        run_key,
        topic_key,
        doc_key
    from rankings
    where false

),

{{ step('int_pool_rankings', given, instead=common, called='int_candidate_rankings') }},

{{ step('int_candidate_topic_scores', given + ['int_candidate_rankings'], instead=common) }}

select * from int_candidate_topic_scores
