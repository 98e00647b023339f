with

{{ imports('int_run_topics') }},

judged_rankings as (

    select * from {{ ref('int_judged_rankings') }}
    where
        is_relevant is not null
        and rank <= 100

),

-- one row per run that answers a judged topic: number of documents in the first places, without missing ones
retrieved as (

    select
        collection_key,
        run_key,
        sum(least(n_retrieved, 10)) as n_in_10,
        sum(least(n_retrieved, 100)) as n_in_100
    from run_topics
    group by all

),

-- one row per run with a judged document there: how many of these documents are judged
judged as (

    select
        collection_key,
        run_key,
        count(*) filter (where rank <= 10) as n_in_10,
        count(*) as n_in_100
    from judged_rankings
    group by all

),

-- one row per collection
shares as (

    select
        retrieved.collection_key,
        sum(coalesce(judged.n_in_10, 0)) / sum(retrieved.n_in_10) as judged_share_at_10,
        sum(coalesce(judged.n_in_100, 0)) / sum(retrieved.n_in_100) as judged_share_at_100
    from retrieved
    left join judged on retrieved.run_key = judged.run_key
    group by retrieved.collection_key

)

select * from shares
