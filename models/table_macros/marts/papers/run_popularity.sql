{{ config(arguments=['collection', 'depth := 1000', 'of_runs := null']) }}

with

planned_runs as (

    select * from {{ ref('int_planned_runs') }}(collection, of_runs, true)

),

-- not materialized, although it is read twice: keeping millions of rows takes longer than reading them again
contributions as not materialized (

    select * from {{ ref('int_planned_contributions') }}(collection, [depth], of_runs, true)

),

{{ asked_ranks('depth', '[depth]') }},

-- one row per topic and document that several runs have: its number within the topic
numbered as (

    select
        topic_key,
        doc_key,
        row_number() over (partition by topic_key order by doc_key) - 1 as number
    from contributions
    group by
        topic_key,
        doc_key
    having count(*) > 1

),

-- one row per run, topic that it answers, and piece with any of its documents: the documents in the piece, and the
-- number of documents of the run in all. Documents that no other run has are in no piece (null).
pieces as (

    select
        contributions.run_key,
        contributions.topic_key,
        {{ piece_of_set('numbered.number') }} as piece,
        {{ set_of_documents('numbered.number') }} as documents,
        count(*) as n_documents
    from contributions
    left join numbered using (topic_key, doc_key)
    group by
        contributions.run_key,
        contributions.topic_key,
        {{ piece_of_set('numbered.number') }}

),

-- one row per run and topic that it answers
lengths as (

    select
        run_key,
        topic_key,
        sum(n_documents) as n_documents
    from pieces
    group by
        run_key,
        topic_key

),

-- one row per run, other run and topic in which they share documents
shared as (

    select
        one.run_key,
        other.run_key as other_run_key,
        one.topic_key,
        sum({{ n_shared_documents('one.documents', 'other.documents') }}) as n_shared
    from pieces as one
    inner join pieces as other
        on
            one.topic_key = other.topic_key
            and one.piece = other.piece
            and one.run_key <> other.run_key
    group by
        one.run_key,
        other.run_key,
        one.topic_key

),

-- one row per topic that a run answers
topics_of_runs as (

    select distinct topic_key
    from lengths

),

-- one row per run and topic, with the number of documents of the run
grid as (

    select
        planned_runs.run_key,
        topics_of_runs.topic_key,
        coalesce(lengths.n_documents, 0) as n_documents
    from planned_runs
    cross join topics_of_runs
    left join lengths using (run_key, topic_key)

),

-- one row per run, other run and topic
pairs_of_topics as (

    select
        grid.run_key,
        other_grid.run_key as other_run_key,
        grid.n_documents,
        other_grid.n_documents as n_other_documents,
        coalesce(shared.n_shared, 0) as n_shared
    from grid
    inner join grid as other_grid
        on
            grid.topic_key = other_grid.topic_key
            and grid.run_key <> other_grid.run_key
    left join shared
        on
            grid.run_key = shared.run_key
            and other_grid.run_key = shared.other_run_key
            and grid.topic_key = shared.topic_key

),

-- one row per run and other run: the overlap of all their documents, and the mean of the overlaps of the topics
pairs as (

    select
        run_key,
        other_run_key,
        {{ overlap_of('sum(n_documents)', 'sum(n_other_documents)', 'sum(n_shared)') }} as overlap,
        avg({{ overlap_of('n_documents', 'n_other_documents', 'n_shared') }}) as overlap_by_topic
    from pairs_of_topics
    group by
        run_key,
        other_run_key

),

-- one row per run
named as (

    select
        collection as collection_id,
        planned_runs.run_id,
        planned_runs.organization,
        distinct_depths.depth,
        cast(count(pairs.overlap) as integer) as n_other_runs,
        avg(pairs.overlap) as popularity,
        avg(pairs.overlap_by_topic) as popularity_by_topic
    from planned_runs
    cross join distinct_depths
    left join pairs using (run_key)
    group by
        planned_runs.run_id,
        planned_runs.organization,
        distinct_depths.depth

)

select * from named
