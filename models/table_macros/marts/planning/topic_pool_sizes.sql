{{ config(arguments=['collection', 'depths := ' ~ planned_depths(), 'of_runs := null']) }}

with

contributions as (

    select * from {{ ref('int_planned_contributions') }}(collection, depths, of_runs, false)

),

{{ asked_of_plan() }},

{{ documents_of_plan() }},

-- one row per depth and topic that a run answers
answer_counts as (

    select
        depth,
        topic_key,
        count(distinct run_key) as n_runs,
        count(*) as n_contributions
    from contributions_at_depths
    group by all

),

-- one row per depth and topic that a run answers
document_counts as (

    select
        depth,
        topic_key,
        count(*) as n_documents,
        count(judged_key) as n_judged,
        count(sole_run_key) as n_of_one_run,
        count(sole_organization_key) as n_of_one_organization
    from documents
    group by all

),

-- one row per topic and depth, including topics that no run of the pool answers
sizes as (

    select
        collection as collection_id,
        asked_topics.topic_id,
        asked_depths.depth,
        cast(coalesce(answer_counts.n_runs, 0) as integer) as n_runs,
        cast(coalesce(answer_counts.n_contributions, 0) as bigint) as n_contributions,
        coalesce(document_counts.n_documents, 0) as n_documents,
        coalesce(document_counts.n_judged, 0) as n_judged,
        coalesce(document_counts.n_of_one_run, 0) as n_of_one_run,
        coalesce(document_counts.n_of_one_organization, 0) as n_of_one_organization
    from asked_topics
    cross join asked_depths
    left join answer_counts using (topic_key, depth)
    left join document_counts using (topic_key, depth)

)

select * from sizes
