{{ config(materialized='table') }}
-- The scores of the runs that were judged on common topics, with two pools of judgements each: the qrels alone, and
-- the qrels with the judgements for the run.

with

{{ imports(
    'int_rankings', 'int_common_judgements', 'int_judgements where is_judged', int_run_topics='int_run_topics'
) }},

-- the common topics of each run
common_topics as (

    select distinct
        collection_key,
        run_key,
        topic_key
    from common_judgements

),

-- two rows per run: one per pool. No organization leaves.
int_candidates as (

    select distinct
        collection_key,
        unnest([{{ qrels_pool_key() }}, {{ common_pool_key('run_key') }}]) as pool_key,
        run_key,
        0 as organization_key,
        false as is_member,
        true as is_scored
    from common_topics

),

pools as (

    select distinct pool_key from int_candidates

),

-- one row per pool and measure
int_pool_measures as (

    select of_all_runs.* replace (pools.pool_key as pool_key)
    from {{ ref('int_pool_measures') }} as of_all_runs
    cross join pools
    where of_all_runs.pool_key = 0

),

-- one row per run, common topic and document that either judges; the judgement of the qrels takes precedence
judged_by_both as (

    select
        common_topics.collection_key,
        common_topics.run_key,
        common_topics.topic_key,
        judgements.doc_key,
        judgements.is_relevant
    from common_topics
    inner join judgements using (collection_key, topic_key)
    union all
    select
        common_judgements.collection_key,
        common_judgements.run_key,
        common_judgements.topic_key,
        common_judgements.doc_key,
        common_judgements.is_relevant
    from common_judgements
    anti join judgements using (collection_key, topic_key, doc_key)

),

-- one row per pool, topic and document that it judges
pool_documents as (

    select
        collection_key,
        {{ qrels_pool_key() }} as pool_key,
        topic_key,
        doc_key,
        is_relevant,
        {{ contributed_by_nobody() }}
    from judgements
    union all
    select
        collection_key,
        {{ common_pool_key('run_key') }} as pool_key,
        topic_key,
        doc_key,
        is_relevant,
        {{ contributed_by_nobody() }}
    from judged_by_both

),

{{ judged_by_pools('int_candidates', 'rankings', 'pool_documents', is_own_contribution='false') }},

{{ steps(
    ['int_candidate_topic_scores'],
    given=['int_candidates', 'int_candidate_rankings', 'int_run_topics', 'int_pool_measures']
) }}

select * from int_candidate_topic_scores
