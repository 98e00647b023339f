{{ config(materialized='table', meta={'rule': 'by_pool'}) }}

with

judged_topics as (

    select * from {{ ref('int_judged_topics') }}
    where {{ is_at_hand() }}

),

left_out as (

    select * from {{ ref('int_left_out') }}
    where {{ is_at_hand() }}

),

judgements as (

    select * from {{ ref('int_judgements') }}
    where
        {{ is_at_hand() }}
        and is_judged

),

pool_documents as (

    select * from {{ ref('int_pool_documents') }}
    where
        {{ is_at_hand() }}
        and pool_key = 0

),

ideal_rankings as (

    select * from {{ ref('int_ideal_rankings') }}
    where {{ is_at_hand() }}

),

-- judged documents that one organization alone contributed, or one run
sole_judgements as (

    select
        judgements.collection_key,
        judgements.topic_key,
        pool_documents.sole_run_key,
        pool_documents.sole_organization_key
    from judgements
    inner join pool_documents
        on
            judgements.collection_key = pool_documents.collection_key
            and judgements.topic_key = pool_documents.topic_key
            and judgements.doc_key = pool_documents.doc_key
    where pool_documents.sole_organization_key is not null

),

-- how many of them leave: one row per topic and run, and one per topic and organization
leaving as (

    select
        collection_key,
        topic_key,
        sole_run_key as left_out_run_key,
        null as left_out_organization_key,
        count(*) as n_judged
    from sole_judgements
    where sole_run_key is not null
    group by
        collection_key,
        topic_key,
        sole_run_key
    union all
    select
        collection_key,
        topic_key,
        null as left_out_run_key,
        sole_organization_key as left_out_organization_key,
        count(*) as n_judged
    from sole_judgements
    group by
        collection_key,
        topic_key,
        sole_organization_key

),

-- the grid: one row per judged topic and thing left out, topics that lose every document among them
grid as (

    select
        judged_topics.collection_key,
        judged_topics.topic_key,
        left_out.left_out_run_key,
        left_out.left_out_organization_key,
        cast(judged_topics.n_judged - coalesce(leaving.n_judged, 0) as integer) as n_judged
    from judged_topics
    inner join left_out on judged_topics.collection_key = left_out.collection_key
    left join leaving
        on
            judged_topics.collection_key = leaving.collection_key
            and judged_topics.topic_key = leaving.topic_key
            and {{ is_same_left_out('left_out', 'leaving') }}

),

-- the same rows with what an ideal ranking finds
totals as (

    select
        grid.collection_key,
        grid.topic_key,
        grid.left_out_run_key,
        grid.left_out_organization_key,
        grid.n_judged,
        cast(count(*) filter (where ideal_rankings.is_relevant) as integer) as n_relevant,
        {{ total_columns('ideal_rankings', var('measures')) }}
    from grid
    left join ideal_rankings
        on
            grid.collection_key = ideal_rankings.collection_key
            and grid.topic_key = ideal_rankings.topic_key
            and {{ is_same_left_out('grid', 'ideal_rankings') }}
    group by
        grid.collection_key,
        grid.topic_key,
        grid.left_out_run_key,
        grid.left_out_organization_key,
        grid.n_judged

)

select * from totals
