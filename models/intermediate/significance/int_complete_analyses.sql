{{ config(materialized='table', meta={'rule': 'by_pool'}) }}

with

int_layout_cells as materialized (

    select * from {{ ref('int_complete_cells') }}
    where {{ is_at_hand() }}

),

{{ steps(['int_layout_effects', 'int_layout_analyses'], given=['int_layout_cells']) }},

-- one row per layout: runs against topics
analyses as (

    select
        collection_key,
        layout_key,
        n_runs,
        n_topics,
        runs_mean_square,
        topics_mean_square,
        error_mean_square
    from int_layout_analyses
    where analysis = 'two_way'

)

select * from analyses
