with

runs as (

    select * from {{ ref('int_runs') }}

),

run_topics as (

    select * from {{ ref('int_run_topics') }}

),

judged_rankings as (

    select * from {{ ref('int_judged_rankings') }}
    where
        rank <= {{ n_first_ranks() }}
        and is_relevant is not null

),

-- one row per run that answers a judged topic: how many documents its first places hold
returned as (

    select
        collection_key,
        run_key,
        sum(least(n_retrieved, {{ n_first_ranks() }})) as n_documents
    from run_topics
    group by
        collection_key,
        run_key

),

-- one row per run that has a judged one among them: how many are judged, and how many without its organization
judged as (

    select
        judged_rankings.run_key,
        count(*) as n_judged,
        count(*) filter (
            where {{ stays_judged('judged_rankings.sole_organization_key', 'runs.organization_key') }}
        ) as n_judged_without_organization
    from judged_rankings
    inner join runs on judged_rankings.run_key = runs.run_key
    group by judged_rankings.run_key

),

unjudged as (

    select
        returned.collection_key,
        returned.run_key,
        returned.n_documents,
        returned.n_documents - coalesce(judged.n_judged, 0) as n_unjudged,
        returned.n_documents - coalesce(judged.n_judged_without_organization, 0) as n_unjudged_without_organization
    from returned
    left join judged on returned.run_key = judged.run_key

)

select * from unjudged
