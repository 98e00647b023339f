{{ config(materialized='table') }}

with

{{ imports('stg_runs', 'int_collections', 'int_topics', 'int_documents') }},

-- not materialized, although it is read twice: keeping a copy takes longer than the ranking
run_lines as not materialized (

    select * from {{ ref('stg_run_lines') }}
    where
        {{ is_at_hand() }}
        and {{ is_run_at_hand() }}

),

-- the same rows, numbered in the order of their ids: sorting rankings by a number takes half the time of sorting
-- them by an id. The key is no such number, because new ids get the next keys.
ordered_documents as (

    select
        *,
        cast(row_number() over (partition by collection_key order by doc_id) as integer) as id_order
    from documents

),

-- runs that name a document twice, as counted when they were loaded. There are few; grouping the lines of all
-- other runs too would cost as much as ranking them.
repeating_runs as (

    select run_key
    from runs
    where n_duplicates > 0

),

-- one row per run, topic and document: a repeated document counts once, with its best score
retrieved as (

    select
        collection_key,
        run_key,
        topic_id,
        doc_id,
        score,
        line_number,
        given_rank
    from run_lines
    where run_key not in (select repeating_runs.run_key from repeating_runs)
    union all
    select
        collection_key,
        run_key,
        topic_id,
        doc_id,
        max(score) as score,
        min(line_number) as line_number,
        min(given_rank) as given_rank
    from run_lines
    where run_key in (select repeating_runs.run_key from repeating_runs)
    group by all

),

-- the same rows with the keys of topic and document
keyed as (

    select
        retrieved.collection_key,
        retrieved.run_key,
        topics.topic_key,
        ordered_documents.doc_key,
        ordered_documents.id_order,
        {{ score_as_read('retrieved.score') }} as score,
        {{ score_as_read('retrieved.score', other_version()) }} as other_score,
        retrieved.line_number,
        retrieved.given_rank
    from retrieved
    inner join topics
        on
            retrieved.collection_key = topics.collection_key
            and retrieved.topic_id = topics.topic_id
    inner join ordered_documents
        on
            retrieved.collection_key = ordered_documents.collection_key
            and retrieved.doc_id = ordered_documents.doc_id

),

-- the same rows in trec_eval's order
ordered as (

    select
        collection_key,
        run_key,
        topic_key,
        doc_key,
        id_order,
        other_score,
        cast({{ trec_eval_rank('id_order') }} as integer) as rank,
        {{ is_tied_above('id_order') }} as is_tied_above,
        {{ is_before_in_other_version('id_order') }} as is_before_in_other_version,
        line_number,
        given_rank
    from keyed

),

-- the lists that the other version of trec_eval orders otherwise; there are few, and no other list is sorted twice
reordered_lists as (

    select distinct
        run_key,
        topic_key
    from ordered
    where is_before_in_other_version

),

-- the same rows as ordered, with the rank in the other version
ranked as not materialized (

    select
        ordered.*,
        cast(null as integer) as other_version_rank
    from ordered
    anti join reordered_lists
        on
            ordered.run_key = reordered_lists.run_key
            and ordered.topic_key = reordered_lists.topic_key
    union all
    select
        *,
        cast({{ trec_eval_rank('id_order', 'other_score') }} as integer) as other_version_rank
    from ordered
    where (run_key, topic_key) in (from reordered_lists)

),

-- the same rows with the rank in the pooling order of the collection
pooling_ranked as (

    select
        ranked.collection_key,
        ranked.run_key,
        ranked.topic_key,
        ranked.doc_key,
        ranked.rank,
        {{ rank_by_float('ranked') }} as pooling_rank,
        ranked.other_version_rank,
        ranked.is_tied_above
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
        cast({{ given_pooling_rank('collections.pooling_order') }} as integer) as pooling_rank,
        ranked.other_version_rank,
        ranked.is_tied_above
    from ranked
    inner join collections on ranked.collection_key = collections.collection_key
    where collections.pooling_order in ('file', 'rank')

)

select * from pooling_ranked
