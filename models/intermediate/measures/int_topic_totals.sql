{{ config(materialized='table', meta={'rule': 'by_pool'}) }}

with

{{ imports('int_judged_topics', 'int_left_out', 'int_ideal_rankings') }},

-- the grid: one row per judged topic and run or organization whose leaving loses a document there, including
-- topics that lose every document
grid as (

    select
        judged_topics.collection_key,
        judged_topics.topic_key,
        left_out.left_out_run_key,
        left_out.left_out_organization_key,
        left_out.left_out_relevant_organization_key,
        cast(judged_topics.n_judged - left_out.n_judged_lost as integer) as n_judged
    from judged_topics
    inner join left_out
        on
            judged_topics.collection_key = left_out.collection_key
            and judged_topics.topic_key = left_out.topic_key

),

-- the same rows with what an ideal ranking finds
totals as (

    select
        grid.collection_key,
        grid.topic_key,
        grid.left_out_run_key,
        grid.left_out_organization_key,
        grid.left_out_relevant_organization_key,
        grid.n_judged,
        cast(count(*) filter (where ideal_rankings.is_relevant) as integer) as n_relevant,
        {{ total_columns('ideal_rankings', var('measures')) }}
    from grid
    left join ideal_rankings
        on
            grid.collection_key = ideal_rankings.collection_key
            and grid.topic_key = ideal_rankings.topic_key
            and {{ is_same_left_out('grid', 'ideal_rankings') }}
    group by all

)

select * from totals
