{{
    config(
        materialized='table_macro',
        arguments=['collection', "performance := 'AP'", 'depths := ' ~ measurement_depths()],
        contract={'enforced': false},
    )
}}
-- The arguments have the names of columns:
-- noqa: disable=RF03,AL09

with

changes as (

    select * from {{ ref('int_decision_changes') }}(collection, performance, depths)

),

swaps as (

    select
        collection as collection_id,
        changes.*
    from changes
    where
        changes.has_other_case
        or changes.has_other_case_two_way
        or changes.has_other_case_tukey
        or changes.has_other_order

)

select * from swaps
