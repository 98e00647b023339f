{{ config(materialized='table', meta={'rule': 'by_collection'}) }}

with

common_lines as (

    select * from {{ ref('stg_common_judgements') }}
    where
        {{ is_at_hand() }}
        and {{ is_judged('grade') }}

),

collections as (

    select * from {{ ref('int_collections') }}
    where {{ is_at_hand() }}

),

runs as (

    select * from {{ ref('int_runs') }}
    where {{ is_at_hand() }}

),

topics as (

    select * from {{ ref('int_topics') }}
    where {{ is_at_hand() }}

),

documents as (

    select * from {{ ref('int_documents') }}
    where {{ is_at_hand() }}

),

judgements as (

    select * from {{ ref('int_judgements') }}
    where
        {{ is_at_hand() }}
        and is_judged

),

rankings as (

    select * from {{ ref('int_rankings') }}
    where
        {{ is_at_hand() }}
        and rank <= {{ deepest_cutoff() }}

),

measured_rankings as (

    select * from {{ ref('int_measured_rankings') }}
    where
        {{ is_at_hand() }}
        and is_answered
        and left_out_run_key is null
        and left_out_organization_key is null

),

experiments as (

    select * from {{ ref('int_experiments') }}
    where pool_key = 0

),

-- one row per run, topic and document that is judged for it; of several grades the highest. A document
-- that no run returned has no key.
common_judgements as (

    select
        runs.collection_key,
        runs.run_key,
        topics.topic_key,
        documents.doc_key,
        max(common_lines.grade) >= any_value(collections.relevance_threshold) as is_relevant
    from common_lines
    inner join collections on common_lines.collection_key = collections.collection_key
    inner join runs
        on
            common_lines.collection_key = runs.collection_key
            and common_lines.run_id = runs.run_id
    inner join topics
        on
            common_lines.collection_key = topics.collection_key
            and common_lines.topic_id = topics.topic_id
    left join documents
        on
            common_lines.collection_key = documents.collection_key
            and common_lines.doc_id = documents.doc_id
    group by
        runs.collection_key,
        runs.run_key,
        topics.topic_key,
        documents.doc_key

),

common_topics as (

    select distinct
        collection_key,
        run_key,
        topic_key
    from common_judgements

),

-- the top documents of the runs that were judged on common topics, relevant by the qrels; and on these
-- topics by the judgements of both, of which the qrels go first
judged as (

    select
        rankings.collection_key,
        rankings.run_key,
        rankings.topic_key,
        rankings.rank,
        judgements.is_relevant,
        common_topics.topic_key is not null as is_common,
        coalesce(judgements.is_relevant, common_judgements.is_relevant) as is_relevant_by_both
    from rankings
    left join common_topics
        on
            rankings.run_key = common_topics.run_key
            and rankings.topic_key = common_topics.topic_key
    left join judgements
        on
            rankings.collection_key = judgements.collection_key
            and rankings.topic_key = judgements.topic_key
            and rankings.doc_key = judgements.doc_key
    left join common_judgements
        on
            rankings.run_key = common_judgements.run_key
            and rankings.topic_key = common_judgements.topic_key
            and rankings.doc_key = common_judgements.doc_key
    where rankings.run_key in (select judged_runs.run_key from common_topics as judged_runs)

),

-- one row per run, topic and measure: documents down to its cutoff that the qrels do not judge
left_open as (

    select
        judged.run_key,
        judged.topic_key,
        experiments.measure,
        cast(count(*) filter (where judged.is_relevant is null) as integer) as n_unjudged
    from judged
    inner join experiments on judged.rank <= experiments.cutoff
    group by
        judged.run_key,
        judged.topic_key,
        experiments.measure

),

-- the same documents on common topics, judged by both
judged_by_both as (

    select
        collection_key,
        run_key,
        topic_key,
        rank,
        is_relevant_by_both as is_relevant
    from judged
    where is_common

),

-- one row per run and common topic, one column per measure
measured as (

    select
        collection_key,
        run_key,
        topic_key,
        {{ measure_columns(var('bias_measures')) }}
    from judged_by_both
    group by
        collection_key,
        run_key,
        topic_key

),

-- one row per run, common topic and measure
true_scores as (

    {{ unpivot_measures('measured', var('bias_measures')) }}

),

-- the runs that were judged on common topics, with what was measured by the qrels
judged_runs as (

    select measured_rankings.*
    from measured_rankings
    where measured_rankings.run_key in (select common_topics.run_key from common_topics)

),

-- one row per run, topic that it answers, treatment of unjudged documents and measure
unpooled_scores as (

    {{ unpivot_measures('judged_runs', var('bias_measures')) }}

),

-- the same rows; the true score is that of a common topic, and null in others
scores as (

    select
        unpooled_scores.collection_key,
        unpooled_scores.run_key,
        unpooled_scores.topic_key,
        unpooled_scores.unjudged,
        unpooled_scores.measure,
        unpooled_scores.score as unpooled_score,
        true_scores.score as true_score,
        left_open.n_unjudged
    from unpooled_scores
    inner join left_open
        on
            unpooled_scores.run_key = left_open.run_key
            and unpooled_scores.topic_key = left_open.topic_key
            and unpooled_scores.measure = left_open.measure
    left join true_scores
        on
            unpooled_scores.run_key = true_scores.run_key
            and unpooled_scores.topic_key = true_scores.topic_key
            and unpooled_scores.measure = true_scores.measure

)

select * from scores
