{{ config(materialized='own_macro', arguments=['collection', 'run_table', 'known_run', 'known_organization']) }}
{#- What depends on the pool of all pooled runs alone. -#}
{%- set stored_pool = ['int_pool_runs', 'int_relevance_factors', 'int_precision_priors'] -%}
-- The rows of int_expected_relevance for a new run.

with

{{ new_run_as_candidate(stored_pool, of_its_documents=true) }},

{{ steps(['int_expected_relevance'], given=stored_pool + given_of_a_new_run()) }}

select * from int_expected_relevance
where pool_key = 0
