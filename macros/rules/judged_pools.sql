{#-
    Pools without contributing runs, by their keys, which are below 0 (keys of pools of runs are not). One pool has
    all judgements of the qrels. Each other pool has these and the judgements made for one run on common topics.
-#}
{% macro qrels_pool_key() -%}
    -1
{%- endmacro %}

{% macro common_pool_key(run_key) -%}
    -2 - {{ run_key }}
{%- endmacro %}

{#- The columns that say who contributed a document, for such a pool. -#}
{% macro contributed_by_nobody() -%}
    cast(null as integer) as n_runs,
    cast(null as integer) as n_organizations,
    cast(null as integer) as sole_run_key,
    cast(null as integer) as sole_organization_key,
    cast(null as integer) as organization_keys
{%- endmacro %}
