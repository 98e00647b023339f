{{ config(arguments=['collection', 'depths := ' ~ planned_depths(), 'of_runs := null']) }}

with

planned_runs as (

    select * from {{ ref('int_planned_runs') }}(collection, of_runs, true)

),

-- not materialized, although it is read twice: keeping millions of rows takes longer than reading them again
contributions as not materialized (

    select * from {{ ref('int_planned_contributions') }}(collection, depths, of_runs, true)

),

{{ asked_of_plan() }},

-- one row per pair of runs and depth from which on they share documents: number of shared documents
first_shared as (

    select
        one.run_key,
        other.run_key as other_run_key,
        greatest(one.from_depth, other.from_depth) as from_depth,
        count(*) as n_shared
    from contributions as one
    inner join contributions as other
        on
            one.topic_key = other.topic_key
            and one.doc_key = other.doc_key
            and one.run_key < other.run_key
    group by
        one.run_key,
        other.run_key,
        greatest(one.from_depth, other.from_depth)

),

-- the same rows, each pair in both orders
in_both_orders as (

    select
        run_key,
        other_run_key,
        from_depth,
        n_shared
    from first_shared
    union all
    select
        other_run_key as run_key,
        run_key as other_run_key,
        from_depth,
        n_shared
    from first_shared

),

-- one row per run, other run that shares a document with it, and depth from the first shared document on
shared as (

    select
        in_both_orders.run_key,
        in_both_orders.other_run_key,
        asked_depths.depth,
        sum(in_both_orders.n_shared) as n_shared
    from in_both_orders
    inner join asked_depths on in_both_orders.from_depth <= asked_depths.depth
    group by all

),

-- one row per run and depth: number of documents that it has down to the depth
lengths as (

    select
        planned_runs.run_key,
        planned_runs.run_id,
        asked_depths.depth,
        count(contributions.doc_key) as n_documents
    from planned_runs
    cross join asked_depths
    left join contributions
        on
            planned_runs.run_key = contributions.run_key
            and asked_depths.depth >= contributions.from_depth
    group by all

),

-- one row per run, other run and depth
pairs as (

    select
        collection as collection_id,
        lengths.run_id,
        other_lengths.run_id as other_run_id,
        lengths.depth,
        lengths.n_documents,
        other_lengths.n_documents as n_other_documents,
        cast(coalesce(shared.n_shared, 0) as bigint) as n_shared
    from lengths
    inner join lengths as other_lengths
        on
            lengths.depth = other_lengths.depth
            and lengths.run_key <> other_lengths.run_key
    left join shared
        on
            lengths.run_key = shared.run_key
            and other_lengths.run_key = shared.other_run_key
            and lengths.depth = shared.depth

),

-- the same rows with the overlap: the share of the documents of either run that both runs have
shares as (

    select
        *,
        {{ overlap_of('n_documents', 'n_other_documents', 'n_shared') }} as overlap
    from pairs

)

select * from shares
