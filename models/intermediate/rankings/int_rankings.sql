{{ config(materialized='by_collection') }}

with

run_lines as (

    select * from {{ ref('stg_run_lines') }}
    where {{ is_at_hand() }}

),

collections as (

    select * from {{ ref('int_collections') }}
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

-- one row per run, topic and document: a repeated document counts once, at its best
retrieved as (

    select
        run_lines.collection_key,
        run_lines.run_key,
        topics.topic_key,
        documents.doc_key,
        max(run_lines.score) as score,
        min(run_lines.line_number) as line_number,
        min(run_lines.given_rank) as given_rank
    from run_lines
    inner join topics
        on
            run_lines.collection_key = topics.collection_key
            and run_lines.topic_id = topics.topic_id
    inner join documents
        on
            run_lines.collection_key = documents.collection_key
            and run_lines.doc_id = documents.doc_id
    group by
        run_lines.collection_key,
        run_lines.run_key,
        topics.topic_key,
        documents.doc_key

),

-- the same rows in trec_eval's order
ranked as (

    select
        collection_key,
        run_key,
        topic_key,
        doc_key,
        cast({{ trec_eval_rank() }} as integer) as rank,
        line_number,
        given_rank
    from retrieved

),

-- the same rows with the rank by which the collection was pooled as well
pooling_ranked as (

    select
        ranked.collection_key,
        ranked.run_key,
        ranked.topic_key,
        ranked.doc_key,
        ranked.rank,
        ranked.rank as pooling_rank
    from ranked
    inner join collections on ranked.collection_key = collections.collection_key
    where collections.pooling_order = 'score'
    union all
    select
        ranked.collection_key,
        ranked.run_key,
        ranked.topic_key,
        ranked.doc_key,
        ranked.rank,
        cast(
            row_number() over (
                partition by ranked.run_key, ranked.topic_key
                order by
                    case when collections.pooling_order = 'rank' then ranked.given_rank end asc nulls last,
                    ranked.line_number asc
            ) as integer
        ) as pooling_rank
    from ranked
    inner join collections on ranked.collection_key = collections.collection_key
    where collections.pooling_order in ('file', 'rank')

)

select * from pooling_ranked
