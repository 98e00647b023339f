{{ config(materialized='table_macro', arguments=['collection', 'asked'], contract={'enforced': false}) }}
-- The arguments have the names of columns:
-- noqa: disable=RF03,AL09

select * from {{ ref('int_asked_expected_scores') }}(collection, asked, is_required := true)
