{{ config(arguments=['collection', 'of_runs := null']) }}

with

{{ imports(
    'int_run_pool_depths', 'int_pooled_states', 'int_runs', 'int_rankings', 'stg_run_lines', 'int_topics',
    'int_documents', 'int_judged_topics', 'int_judgements', voters='int_depth_voters where has_vote'
) }},

{{ collection_of_plan() }},

-- one row per run that may show how it was pooled, with the pool depth
asked_runs as (

    select
        runs.collection_key,
        runs.run_key,
        run_pool_depths.pool_depth,
        pooled_states.n_tolerated_gaps
    from asked_collection
    inner join runs using (collection_key)
    inner join voters using (run_key)
    inner join run_pool_depths using (run_key)
    inner join pooled_states using (run_key)
    where of_runs is null or list_contains(of_runs, runs.run_id)

),

-- lines of judged topics with their places by line and by given rank. One number holds rank and line, because sorting
-- by two columns takes four times as long. A repeated document takes several places.
placed as (

    select
        asked_runs.collection_key,
        asked_runs.run_key,
        asked_runs.pool_depth,
        judged_topics.topic_key,
        run_lines.doc_id,
        row_number() over (
            partition by asked_runs.run_key, judged_topics.topic_key
            order by run_lines.line_number
        ) as by_line,
        row_number() over (
            partition by asked_runs.run_key, judged_topics.topic_key
            order by coalesce(cast(run_lines.given_rank as bigint), 2147483647) * 2147483648 + run_lines.line_number
        ) as by_rank
    from asked_runs
    inner join run_lines using (collection_key, run_key)
    inner join topics using (collection_key, topic_id)
    inner join judged_topics using (collection_key, topic_key)

),

given as (

    select
        placed.run_key,
        placed.topic_key,
        documents.doc_key,
        placed.by_line <= placed.pool_depth as is_by_line,
        placed.by_rank <= placed.pool_depth as is_by_rank
    from placed
    inner join documents using (collection_key, doc_id)
    where least(placed.by_line, placed.by_rank) <= placed.pool_depth

),

-- one row per order, run, judged topic and document down to the pool depth
first_documents as (

    select
        'score' as pooling_order,
        asked_runs.run_key,
        rankings.topic_key,
        rankings.doc_key
    from asked_runs
    inner join rankings
        on
            asked_runs.collection_key = rankings.collection_key
            and asked_runs.run_key = rankings.run_key
            and asked_runs.pool_depth >= {{ rank_in_version_9('rankings') }}
    inner join judged_topics
        on
            rankings.collection_key = judged_topics.collection_key
            and rankings.topic_key = judged_topics.topic_key
    union all
    select distinct
        'file' as pooling_order,
        run_key,
        topic_key,
        doc_key
    from given
    where is_by_line
    union all
    select distinct
        'rank' as pooling_order,
        run_key,
        topic_key,
        doc_key
    from given
    where is_by_rank

),

-- one row per order, run and topic
covered_topics as (

    select
        first_documents.pooling_order,
        first_documents.run_key,
        count(*) as n_documents,
        count(judgements.grade) as n_in_qrels
    from first_documents
    cross join asked_collection
    left join judgements using (collection_key, topic_key, doc_key)
    group by all

),

-- one row per order and run: whether it looks pooled, as in int_pooled_states
covered_runs as (

    select
        covered_topics.pooling_order,
        covered_topics.run_key,
        {{ is_judged_enough('sum(covered_topics.n_in_qrels)', 'sum(covered_topics.n_documents)') }}
        and max(covered_topics.n_documents - covered_topics.n_in_qrels) <= max(asked_runs.n_tolerated_gaps)
            as looks_pooled
    from covered_topics
    inner join asked_runs using (run_key)
    group by all

),

-- one row per order
counted as (

    select
        pooling_order,
        cast(count(*) as integer) as n_runs,
        cast(count_if(looks_pooled) as integer) as n_explained
    from covered_runs
    group by pooling_order

)

select * from counted
