{{ config(materialized='table_macro', arguments=['collection', 'run_table', 'common_table']) }}
{%- set given = [
    'int_levels',
    'int_contributions',
    'int_run_topics',
    'int_judgements',
    'int_common_judgements',
] -%}
{%- set common = {
    'int_candidates': 'int_common_candidates',
    'int_pool_runs': 'int_common_candidates',
    'int_pool_documents': 'int_common_pool_documents',
    'int_pool_measures': 'int_common_pool_measures',
    'int_rankings': 'new_rankings',
} -%}
-- The adjustments of the score of a new run from common topics. The steps are those of the loaded runs that were
-- judged on common topics.

with

new_rankings as (

    select * from {{ ref('int_new_run_rankings') }}(collection, run_table)

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
    from new_rankings
    where false

),

int_run_topics as (

    select
        collection_key,
        run_key,
        topic_key,
        count(*) as n_retrieved
    from new_rankings
    group by
        collection_key,
        run_key,
        topic_key

),

-- the documents of the run that the qrels judge
int_judgements as (

    select
        collection_key,
        topic_key,
        doc_key,
        true as is_judged,
        is_relevant
    from new_rankings
    where is_relevant is not null

),

-- the topics that the run answers
new_topics as (

    select distinct
        collection_key,
        run_key,
        topic_key,
        topic_id
    from new_rankings

),

-- the documents of the run that were judged for it, with their topics; a topic of which the run returned none of
-- them is common too
int_common_judgements as (

    select
        new_topics.collection_key,
        new_topics.run_key,
        new_topics.topic_key,
        new_rankings.doc_key,
        common_judgements.is_relevant
    from {{ ref('int_new_run_common_judgements') }}(collection, common_table) as common_judgements
    inner join new_topics on common_judgements.topic_id = new_topics.topic_id
    left join new_rankings
        on
            common_judgements.topic_id = new_rankings.topic_id
            and common_judgements.doc_id = new_rankings.doc_id

),

{{ steps(['int_common_candidates', 'int_common_pool_documents', 'int_common_pool_measures'], given) }},

{{ step('int_pool_rankings', given, instead=common, called='int_candidate_rankings') }},

{{ step(
    'int_candidate_topic_scores', given + ['int_candidate_rankings'], instead=common,
    called='int_common_candidate_scores'
) }},

{{ steps([
    'int_common_topics',
    'int_common_topic_scores',
    'int_common_topic_estimates',
    'int_common_topic_adjustments',
], given + ['int_common_candidate_scores']) }}

select * from int_common_topic_adjustments
