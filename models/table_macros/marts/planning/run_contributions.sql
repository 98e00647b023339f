{{ config(arguments=['collection', 'depths := ' ~ planned_depths(), 'of_runs := null']) }}

with

planned_runs as (

    select * from {{ ref('int_planned_runs') }}(collection, of_runs, false)

),

contributions as (

    select * from {{ ref('int_planned_contributions') }}(collection, depths, of_runs, false)

),

{{ asked_of_plan() }},

{{ documents_of_plan() }},

-- one row per depth and run that answers a topic
counts as (

    select
        contributions_at_depths.depth,
        contributions_at_depths.run_key,
        count(distinct contributions_at_depths.topic_key) as n_topics,
        count(*) as n_documents,
        count(documents.judged_key) as n_judged,
        count(documents.sole_run_key) as n_of_one_run,
        count(documents.sole_organization_key) as n_of_one_organization
    from contributions_at_depths
    inner join documents using (depth, topic_key, doc_key)
    group by all

),

-- one row per run of the pool and depth
named as (

    select
        collection as collection_id,
        planned_runs.run_id,
        asked_depths.depth,
        planned_runs.organization,
        cast(coalesce(counts.n_topics, 0) as integer) as n_topics,
        coalesce(counts.n_documents, 0) as n_documents,
        coalesce(counts.n_judged, 0) as n_judged,
        coalesce(counts.n_of_one_run, 0) as n_of_one_run,
        coalesce(counts.n_of_one_organization, 0) as n_of_one_organization
    from planned_runs
    cross join asked_depths
    left join counts using (run_key, depth)

)

select * from named
