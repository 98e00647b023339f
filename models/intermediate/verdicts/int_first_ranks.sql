with

{{ imports('int_topic_first_ranks', 'int_runs', 'int_pool_parts', 'int_topic_pools') }},

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

-- one row per run that answers a judged topic, and its documents on pooled topics
summed_up as (

    select
        topic_first_ranks.collection_key,
        topic_first_ranks.run_key,
        sum(topic_first_ranks.n_documents) as n_documents,
        sum(topic_first_ranks.n_unjudged) as n_unjudged,
        sum(topic_first_ranks.n_documents) filter (where {{ is_pooled_topic('topic_pools') }}) as n_on_pooled_topics,
        sum(topic_first_ranks.n_unjudged) filter (where {{ is_pooled_topic('topic_pools') }})
            as n_unjudged_on_pooled_topics
    from topic_first_ranks
    inner join topic_pools using (collection_key, topic_key)
    group by all

),

with_left_out as (

    select
        summed_up.*,
        {{ if_pool_is_known('summed_up.n_unjudged_on_pooled_topics + coalesce(left_out.n_left_out, 0)', 'pool_parts') }}
            as n_unjudged_without_organization
    from summed_up
    inner join pool_parts using (collection_key)
    left join left_out using (run_key)

)

select * from with_left_out
