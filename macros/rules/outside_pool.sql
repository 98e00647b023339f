{#-
    The chain of a run outside the pool, loaded or in a file, as CTEs: each such run is a candidate of the pool of all
    pooled runs, to which it contributed nothing. The last CTE is int_adjustments_webber_park_systems.

    The CTEs before it, named by `given`, are `int_candidates`, the stored pool (stored_pool), and `outside_rankings`:
    the rankings of the candidates, with `is_above_pool_depth`.
-#}
{% macro outside_pool(given) -%}
{%- set known = given + ['int_candidates', 'int_levels', 'int_contributions', 'int_candidate_rankings'] -%}
-- no run leaves the pool with a candidate
int_levels as (

    select 'run' as level

),

-- the documents that the candidates would have contributed
int_contributions as (

    select
        collection_key,
        run_key,
        topic_key,
        doc_key,
        rank
    from outside_rankings
    where is_above_pool_depth

),

{{ step(
    'int_pool_rankings', known, called='int_candidate_rankings',
    instead={'int_pool_runs': 'int_candidates', 'int_rankings': 'outside_rankings'}
) }},

{{ steps([
    'int_pool_pairs',
    'int_withdrawal_exceptions',
    'int_pair_losses',
    'int_adjustments_webber_park_systems',
], known) }}
{%- endmacro %}

{#- The models of a stored pool that the chain reads. -#}
{% macro stored_pool() %}
    {{ return(['int_pool_runs', 'int_pool_documents', 'int_pool_rankings', 'int_lone_contributions', 'int_member_losses']) }}
{% endmacro %}
