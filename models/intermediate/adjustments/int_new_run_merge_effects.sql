{{ config(materialized='table_macro', arguments=['collection', 'run_table']) }}

with

collections as (

    select * from {{ ref('int_collections') }}

),

new_rankings as (

    select * from {{ ref('int_new_run_rankings') }}(collection, run_table)

),

rankings as (

    select * from {{ ref('int_rankings') }}

),

pool_runs as (

    select * from {{ ref('int_pool_runs') }}
    where pool_key = 0

),

run_topics as (

    select * from {{ ref('int_run_topics') }}

),

pool_rankings as (

    select * from {{ ref('int_pool_rankings') }}
    where pool_key = 0

),

pool_documents as (

    select * from {{ ref('int_pool_documents') }}
    where pool_key = 0

),

experiments as (

    select * from {{ ref('int_experiments') }}
    where
        measure_name = 'P'
        and pool_key = 0

),

-- one row per pooled run
pooled_runs as (

    select
        pool_runs.collection_key,
        pool_runs.run_key,
        count(*) as n_topics
    from collections
    inner join pool_runs on collections.collection_key = pool_runs.collection_key
    inner join run_topics on pool_runs.run_key = run_topics.run_key
    where collections.collection_id = collection
    group by
        pool_runs.collection_key,
        pool_runs.run_key

),

answered_topics as (

    select distinct topic_key
    from new_rankings

),

-- one row per pooled run and topic that both answer: the top of the merged ranking, best first. In the
-- other topics the pooled run's ranking stays as it is.
merged as (

    select
        rankings.run_key,
        rankings.topic_key,
        {{ first_in_order(
            'rankings.doc_key',
            merge_order('rankings.rank', 'new_rankings.rank'),
            deepest_cutoff()
        ) }} as doc_keys
    from rankings
    inner join pooled_runs on rankings.run_key = pooled_runs.run_key
    inner join answered_topics on rankings.topic_key = answered_topics.topic_key
    left join new_rankings
        on
            rankings.topic_key = new_rankings.topic_key
            and rankings.doc_key = new_rankings.doc_key
    group by
        rankings.run_key,
        rankings.topic_key

),

merged_documents as (

    select
        run_key,
        topic_key,
        {{ elements('doc_keys', 'merged_rank') }}
    from merged

),

-- the judged documents of both: those after the merge, and with the sign turned, those before it
signed_documents as (

    select
        pooled_runs.run_key,
        merged_documents.merged_rank as rank,
        pool_documents.is_relevant,
        1 as sign
    from merged_documents
    inner join pooled_runs on merged_documents.run_key = pooled_runs.run_key
    inner join pool_documents
        on
            pooled_runs.collection_key = pool_documents.collection_key
            and merged_documents.topic_key = pool_documents.topic_key
            and merged_documents.doc_key = pool_documents.doc_key
    union all
    select
        pool_rankings.run_key,
        pool_rankings.rank,
        pool_rankings.is_relevant,
        -1 as sign
    from pool_rankings
    inner join pooled_runs on pool_rankings.run_key = pooled_runs.run_key
    inner join answered_topics on pool_rankings.topic_key = answered_topics.topic_key

),

-- one row per pooled run and band of ranks
changes as (

    select
        run_key,
        {{ cutoff_band('rank') }} as band,
        coalesce(sum(sign) filter (where is_relevant), 0) as n_relevant,
        coalesce(sum(sign) filter (where not is_relevant), 0) as n_non_relevant
    from signed_documents
    group by
        run_key,
        band

),

-- one row per pooled run and cutoff: what the merge does to its precision and anti-precision, as means
-- over the topics that it answers
effects as (

    select
        pooled_runs.collection_key,
        pooled_runs.run_key,
        experiments.cutoff,
        coalesce(sum(changes.n_relevant), 0) / experiments.cutoff / pooled_runs.n_topics as delta_precision,
        coalesce(sum(changes.n_non_relevant), 0)
        / experiments.cutoff
        / pooled_runs.n_topics as delta_anti_precision
    from pooled_runs
    cross join experiments
    left join changes
        on
            pooled_runs.run_key = changes.run_key
            and experiments.cutoff >= changes.band
    group by
        pooled_runs.collection_key,
        pooled_runs.run_key,
        pooled_runs.n_topics,
        experiments.cutoff

)

select * from effects
