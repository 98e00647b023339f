{{
    config(
        materialized='table_macro',
        arguments=['collection', 'standard_error'],
        contract={'enforced': false},
    )
}}
-- The argument is named like the column:
-- noqa: disable=AL09

with

topic_deltas as (

    select * from {{ ref('fct_topic_deltas') }}
    where collection_id = collection

),

-- one row per pooled run, level and measure: as many as it would have needed, had it not been pooled
needed as (

    select
        collection_id,
        level,
        measure,
        run_id,
        n_topics,
        {{ common_topics_needed('delta_variance', 'n_topics', 'standard_error') }} as n_common_topics
    from topic_deltas

),

-- one row per level and measure
summed_up as (

    select
        collection_id,
        level,
        measure,
        standard_error as standard_error,
        max(n_topics) as n_topics,
        cast(count(*) as integer) as n_runs,
        quantile_disc(n_common_topics, 0.5) as n_for_half_of_the_runs,
        quantile_disc(n_common_topics, 0.9) as n_for_nine_in_ten,
        max(n_common_topics) as n_for_all_runs
    from needed
    group by
        collection_id,
        level,
        measure

)

select * from summed_up
