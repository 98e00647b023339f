{{ config(arguments=['collection', 'run_table']) }}
-- The rows of int_rankings for a run in a table of its own, restricted to the judged topics of the collection.

with

{{ imports(
    'int_collections', 'int_topics', 'int_documents', 'int_judged_topics', 'int_judgements', 'int_pool_depths',
    'int_topic_pools', 'stg_leave_out_pairs'
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
int_topics as (

    select topics.*
    from asked_collection
    inner join topics using (collection_key)
    inner join judged_topics using (collection_key, topic_key)

),

-- the lines of these topics that count; there is a single run, and it has no key
stg_run_lines as (

    select
        int_topics.collection_key,
        0 as run_key,
        int_topics.topic_id,
        lines.docno as doc_id,
        cast(lines.score as double) as score,
        lines.rank as given_rank,
        lines.line_number
    from lines
    inner join int_topics on lines.query = int_topics.topic_id
    anti join leave_out_pairs
        on
            int_topics.collection_key = leave_out_pairs.collection_key
            and lines.query = leave_out_pairs.topic_id
            and lines.docno = leave_out_pairs.doc_id

),

-- the collection, where the run answers a topic of it; or an error
int_collections as (

    select
        any_value(asked_collection.collection_key) as collection_key,
        any_value(asked_collection.pooling_order) as pooling_order
    from asked_collection
    cross join stg_run_lines
    having
        case
            when count(*) = 0
                then error(
                    'the run answers no topic that is judged in ''' || collection || ''''
                    || coalesce(
                        ' (it has ' || (select min(new_run.query) from lines as new_run) || ', the qrels have '
                        || (select min(judged.topic_id) from int_topics as judged) || ')',
                        ''
                    )
                )
            else true
        end

),

-- the run, which may name a document twice
stg_runs as (

    select
        collection_key,
        0 as run_key,
        1 as n_duplicates
    from int_collections

),

-- its documents. One that no other run returned and nobody judged has a key of its own, below 0.
int_documents as (

    select
        retrieved.collection_key,
        retrieved.doc_id,
        coalesce(documents.doc_key, -row_number() over (order by retrieved.doc_id)) as doc_key
    from (
        select distinct
            collection_key,
            doc_id
        from stg_run_lines
    ) as retrieved
    left join documents using (collection_key, doc_id)

),

{{ steps(
    ['int_rankings'], given=['stg_run_lines', 'stg_runs', 'int_collections', 'int_topics', 'int_documents']
) }},

-- the same rows with the judgement of the qrels, null where there is none
judged as (

    select
        int_rankings.collection_key,
        int_rankings.run_key,
        int_rankings.topic_key,
        int_topics.topic_id,
        int_rankings.doc_key,
        int_documents.doc_id,
        int_rankings.rank,
        int_rankings.pooling_rank,
        int_rankings.is_tied_above,
        -- null where the pool depth is not known
        {{ is_contribution('int_rankings.pooling_rank', depth_on_topic('topic_pools', 'pool_depths.pool_depth')) }}
            as is_above_pool_depth,
        judgements.is_relevant
    from int_rankings
    -- joined, so that no query can skip the error
    cross join int_collections
    inner join int_topics using (topic_key)
    inner join int_documents using (doc_key)
    inner join pool_depths on int_collections.collection_key = pool_depths.collection_key
    inner join topic_pools
        on
            int_rankings.collection_key = topic_pools.collection_key
            and int_rankings.topic_key = topic_pools.topic_key
    left join judgements
        on
            int_rankings.collection_key = judgements.collection_key
            and int_rankings.topic_key = judgements.topic_key
            and int_rankings.doc_key = judgements.doc_key
            and judgements.is_judged

)

select * from judged
