{{ config(materialized='table') }}

with

{{ imports('stg_collections') }},

-- the collections at the time of the build; a load after the build must not change them
built as (

    select
        collection_key,
        collection_id,
        title,
        declared_pool_depth,
        declared_judging,
        relevance_threshold,
        judged_from,
        pooling_order,
        track,
        year,
        task,
        coalesce(main_measure, '{{ usual_main_measure() }}') as main_measure,
        passage_mark,
        n_judgements_left_out,
        is_judged
    from collections

)

select * from built
