{{ config(arguments=['collection', 'run_table']) }}
-- The steps are those of stg_run_lines and int_rankings, for a run in a table of its own, restricted to the topics
-- of the collection.

with

{{ imports(
    'int_collections', 'int_topics', 'int_documents', 'int_judged_topics', 'int_judgements', 'int_pool_depths'
) }},

-- no row: the columns that the table may have; a column that the table lacks is null
columns_of_a_run as (

    select
        cast(null as varchar) as query,
        cast(null as varchar) as docno,
        cast(null as double) as score,
        cast(null as integer) as rank,
        cast(null as integer) as line_number
    where false

),

-- no row: a table without one of these columns is refused, with the name of the column
columns_that_it_needs as (

    select
        new_run.query,
        new_run.docno,
        new_run.score
    from query_table(run_table) as new_run
    where false

),

lines as (

    select * from columns_of_a_run
    union all by name
    select * from query_table(run_table)
    union all by name
    select * from columns_that_it_needs

),

-- one row: whether a line lacks what every line must have
checked_lines as (

    select bool_or(query is null or docno is null or score is null) as has_gaps
    from lines

),

-- one row: the collection; or an error that says which argument is wrong
asked_collection as (

    select
        case
            when max(collections.collection_key) is null then {{ no_such_collection('collection') }}
            when not bool_or(collections.is_judged) then {{ not_judged('collection') }}
            when bool_or(checked_lines.has_gaps)
                then error('the run has a row without a query, a docno or a score')
            else max(collections.collection_key)
        end as collection_key,
        any_value(collections.pooling_order) as pooling_order
    from checked_lines
    left join collections on collections.collection_id = collection

),

-- one row per judged topic of the collection
asked_topics as (

    select
        topics.topic_key,
        topics.topic_id
    from asked_collection
    inner join topics on asked_collection.collection_key = topics.collection_key
    inner join judged_topics
        on
            topics.collection_key = judged_topics.collection_key
            and topics.topic_key = judged_topics.topic_key

),

-- one row per judged topic and document of the run: a repeated document counts once, with its best score
retrieved as (

    select
        -- there is a single run, and it has no key
        0 as run_key,
        asked_topics.topic_key,
        lines.docno as doc_id,
        max(cast(lines.score as double)) as score,
        min(lines.line_number) as line_number,
        min(lines.rank) as given_rank
    from lines
    inner join asked_topics on lines.query = asked_topics.topic_id
    group by
        asked_topics.topic_key,
        lines.docno

),

-- one row: the collection, where the run answers a topic of it; or an error
answered as (

    select
        any_value(asked_collection.collection_key) as collection_key,
        any_value(asked_collection.pooling_order) as pooling_order
    from asked_collection
    cross join lines
    inner join asked_topics on lines.query = asked_topics.topic_id
    having
        case
            when count(*) = 0
                then error(
                    'the run answers no topic that is judged in ''' || collection || ''''
                    || coalesce(
                        ' (it has ' || (select min(new_run.query) from lines as new_run) || ', the qrels have '
                        || (select min(judged.topic_id) from asked_topics as judged) || ')',
                        ''
                    )
                )
            else true
        end

),

-- the same rows as retrieved documents, in trec_eval's order
ordered as (

    select
        *,
        cast({{ trec_eval_rank() }} as integer) as rank,
        {{ score_above() }} as score_above
    from retrieved

),

-- the same rows, and whether a document is tied with the one above it
ranked as (

    select
        run_key,
        topic_key,
        doc_id,
        score,
        line_number,
        given_rank,
        rank,
        {{ is_tied_above() }} as is_tied_above,
        {{ is_tied_above() }} <> {{ is_tied_above(other_version()) }} as is_tied_in_one_version
    from ordered

),

-- the topics whose pooling order may be another one; there are few where the collection was pooled by score
reordered_topics as (

    select ranked.topic_key
    from ranked
    cross join answered
    group by ranked.topic_key
    having bool_or(ranked.is_tied_in_one_version or answered.pooling_order <> 'score')

),

-- the same rows with the rank in the pooling order of the collection
pooling_ranked as (

    select
        run_key,
        topic_key,
        doc_id,
        rank,
        is_tied_above,
        rank as pooling_rank
    from ranked
    where topic_key not in (from reordered_topics)
    union all
    select
        ranked.run_key,
        ranked.topic_key,
        ranked.doc_id,
        ranked.rank,
        ranked.is_tied_above,
        cast(
            case answered.pooling_order
                when 'score' then {{ trec_eval_rank(version=9) }}
                else {{ given_pooling_rank('answered.pooling_order') }}
            end as integer
        ) as pooling_rank
    from ranked
    cross join answered
    where ranked.topic_key in (from reordered_topics)

),

-- the same rows with the judgement of the qrels, null where there is none. A document that no other run returned
-- and nobody judged has a key of its own within its topic, below 0.
judged as (

    select
        answered.collection_key,
        pooling_ranked.run_key,
        pooling_ranked.topic_key,
        asked_topics.topic_id,
        coalesce(documents.doc_key, -pooling_ranked.rank) as doc_key,
        pooling_ranked.doc_id,
        pooling_ranked.rank,
        pooling_ranked.pooling_rank,
        pooling_ranked.is_tied_above,
        -- null where the pool depth is not known
        {{ is_contribution('pooling_ranked.pooling_rank', 'pool_depths.pool_depth') }} as is_above_pool_depth,
        judgements.is_relevant
    from pooling_ranked
    -- joined, so that no query can skip the error
    cross join answered
    inner join asked_topics on pooling_ranked.topic_key = asked_topics.topic_key
    inner join pool_depths on answered.collection_key = pool_depths.collection_key
    left join documents
        on
            answered.collection_key = documents.collection_key
            and pooling_ranked.doc_id = documents.doc_id
    left join judgements
        on
            answered.collection_key = judgements.collection_key
            and pooling_ranked.topic_key = judgements.topic_key
            and documents.doc_key = judgements.doc_key
            and judgements.is_judged

)

select * from judged
