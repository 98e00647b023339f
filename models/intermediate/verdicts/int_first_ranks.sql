with

{{ imports('int_topic_first_ranks', 'int_runs', 'int_pool_depths') }},

judged_rankings as (

    select * from {{ ref('int_contributed_rankings') }}
    where
        rank <= {{ n_first_ranks() }}
        and is_relevant is not null

),

-- one row per run that returns, in the first places, documents that only its organization contributed
left_out as (

    select
        judged_rankings.run_key,
        count(*) as n_left_out
    from judged_rankings
    inner join runs using (run_key)
    where not {{ stays_judged('judged_rankings.sole_organization_key', 'runs.organization_key') }}
    group by judged_rankings.run_key

),

summed_up as (

    select
        collection_key,
        run_key,
        sum(n_documents) as n_documents,
        sum(n_unjudged) as n_unjudged
    from topic_first_ranks
    group by all

),

with_left_out as (

    select
        summed_up.*,
        {{ if_pool_is_known('summed_up.n_unjudged + coalesce(left_out.n_left_out, 0)') }}
            as n_unjudged_without_organization
    from summed_up
    inner join pool_depths using (collection_key)
    left join left_out using (run_key)

)

select * from with_left_out
