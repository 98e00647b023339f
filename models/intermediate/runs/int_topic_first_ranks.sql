with

{{ imports('int_run_topics') }},

judged_rankings as (

    select * from {{ ref('int_judged_rankings') }}
    where
        rank <= {{ n_first_ranks() }}
        and is_relevant is not null

),

-- one row per run and topic with a judged document in the first places
judged as (

    select
        run_key,
        topic_key,
        count(*) as n_judged
    from judged_rankings
    group by all

),

-- one row per run and judged topic that it answers
unjudged as (

    select
        run_topics.collection_key,
        run_topics.run_key,
        run_topics.topic_key,
        least(run_topics.n_retrieved, {{ n_first_ranks() }}) as n_documents,
        least(run_topics.n_retrieved, {{ n_first_ranks() }}) - coalesce(judged.n_judged, 0) as n_unjudged
    from run_topics
    left join judged using (run_key, topic_key)

)

select * from unjudged
