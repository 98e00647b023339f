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
        retrieved.score,
        retrieved.line_number,
        retrieved.given_rank
    from retrieved
    inner join topics using (collection_key, topic_id)
    inner join ordered_documents using (collection_key, doc_id)

),

-- the same rows in trec_eval's order
ordered as (

    select
        *,
        {{ trec_eval_rank('id_order') }} as rank,
        {{ score_above('id_order') }} as score_above
    from keyed

),

-- the same rows, and whether a document is tied with the one above it
ranked as (

    select
        collection_key,
        run_key,
        topic_key,
        doc_key,
        id_order,
        score,
        cast(rank as integer) as rank,
        {{ is_tied_above() }} as is_tied_above,
        {{ is_tied_above() }} <> {{ is_tied_above(other_version()) }} as is_tied_in_one_version,
        line_number,
        given_rank
    from ordered

),

-- the lists that the other version of trec_eval may order in another way: there are few
lists_by_version as (

    select distinct
        run_key,
        topic_key
    from ranked
    where is_tied_in_one_version

),

-- the documents of these lists, with their rank in the other version
ranked_by_version as (

    select
        *,
        cast({{ trec_eval_rank('id_order', other_version()) }} as integer) as other_version_rank
    from ranked
    where (run_key, topic_key) in (from lists_by_version)

),

-- the documents of collections that were pooled in the order of the file or of the ranks in it
given_ranked as (

    select
        ranked.*,
        cast({{ given_pooling_rank('collections.pooling_order') }} as integer) as pooling_rank
    from ranked
    inner join collections using (collection_key)
    where collections.pooling_order in ('file', 'rank')

),

-- all documents, with the rank in the pooling order of the collection
pooling_ranked as (

    select
        ranked.collection_key,
        ranked.run_key,
        ranked.topic_key,
        ranked.doc_key,
        ranked.rank,
        ranked.rank as pooling_rank,
        cast(null as integer) as other_version_rank,
        ranked.is_tied_above,
        ranked.given_rank
    from ranked
    inner join collections using (collection_key)
    anti join lists_by_version using (run_key, topic_key)
    where collections.pooling_order = 'score'
    union all
    select
        ranked_by_version.collection_key,
        ranked_by_version.run_key,
        ranked_by_version.topic_key,
        ranked_by_version.doc_key,
        ranked_by_version.rank,
        {{ rank_in_version_9('ranked_by_version') }} as pooling_rank,
        ranked_by_version.other_version_rank,
        ranked_by_version.is_tied_above,
        ranked_by_version.given_rank
    from ranked_by_version
    inner join collections using (collection_key)
    where collections.pooling_order = 'score'
    union all
    select
        given_ranked.collection_key,
        given_ranked.run_key,
        given_ranked.topic_key,
        given_ranked.doc_key,
        given_ranked.rank,
        given_ranked.pooling_rank,
        ranked_by_version.other_version_rank,
        given_ranked.is_tied_above,
        given_ranked.given_rank
    from given_ranked
    left join ranked_by_version using (run_key, topic_key, doc_key)

),

-- the same rows in the order of topics: a join of documents then finds the documents of its topic in the cache
by_topic as (

    select * from pooling_ranked
    order by topic_key

)

select * from by_topic
