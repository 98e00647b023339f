{{ config(materialized='table') }}
{%- set given = ['int_pool_runs', 'int_pool_documents', 'int_relevance_examples'] -%}
-- The rows of int_expected_relevance for the loaded runs that were not pooled, for all of these runs at once

with

{{ imports(int_candidates='int_unpooled_runs', int_contributions='int_unpooled_contributions') }},

{{ pool_at_hand(given) }},

{{ relevance_outside_pool(given) }}

select * from int_expected_relevance
