with

{{ imports('int_runs', 'int_run_topics', 'int_pool_depths') }},

judged_rankings as (

    select * from {{ ref('int_contributed_rankings') }}
    where
        rank <= {{ n_first_ranks() }}
        and is_relevant is not null

),

-- one row per run and topic with a judged document in the first places: number of judged documents, with and
-- without its organization
judged as (

    select
        judged_rankings.run_key,
        judged_rankings.topic_key,
        count(*) as n_judged,
        count(*) filter (
            where {{ stays_judged('judged_rankings.sole_organization_key', 'runs.organization_key') }}
        ) as n_judged_without_organization
    from judged_rankings
    inner join runs on judged_rankings.run_key = runs.run_key
    group by all

),

-- one row per run and judged topic that it answers
unjudged as (

    select
        run_topics.collection_key,
        run_topics.run_key,
        run_topics.topic_key,
        least(run_topics.n_retrieved, {{ n_first_ranks() }}) as n_documents,
        least(run_topics.n_retrieved, {{ n_first_ranks() }}) - coalesce(judged.n_judged, 0) as n_unjudged,
        {{ if_pool_is_known(
            'least(run_topics.n_retrieved, ' ~ n_first_ranks() ~ ') - coalesce(judged.n_judged_without_organization, 0)'
        ) }} as n_unjudged_without_organization
    from run_topics
    inner join pool_depths on run_topics.collection_key = pool_depths.collection_key
    left join judged
        on
            run_topics.run_key = judged.run_key
            and run_topics.topic_key = judged.topic_key

)

select * from unjudged
