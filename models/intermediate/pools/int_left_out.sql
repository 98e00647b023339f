{{ config(materialized='table') }}

with

{{ imports('int_judged_topics', judgements='int_contributed_judgements') }},

-- documents of the qrels that only one organization, or only one run, contributed; once for every run or
-- organization with which they leave
leaving as (

    select
        collection_key,
        topic_key,
        is_judged,
        unnest([{{ keys_with_which_it_leaves('judgements') }}]) as left_out_key
    from judgements
    where sole_organization_key is not null

),

-- one row per topic and run or organization whose leaving loses a document there
lost as (

    select
        collection_key,
        topic_key,
        left_out_key,
        count(*) filter (where is_judged) as n_judged_lost
    from leaving
    where left_out_key is not null
    group by all

),

-- the same rows, and one row per topic where nothing leaves, with the judged documents that stay
left_out as (

    select
        lost.collection_key,
        lost.topic_key,
        lost.left_out_key,
        cast(judged_topics.n_judged - lost.n_judged_lost as integer) as n_judged
    from lost
    inner join judged_topics using (collection_key, topic_key)
    union all
    select
        collection_key,
        topic_key,
        0 as left_out_key,
        cast(n_judged as integer) as n_judged
    from judged_topics

)

select * from left_out
