{#-
    Materialization hint for a CTE that is named more than once, so that it is computed each time:
    `rows as {{ named_twice() }} (`. DuckDB 2.0 would keep its rows instead, and would then never end a query with
    a `limit` (docs/decisions/duckdb_hang.md).
-#}
{% macro named_twice() -%}
    {{ return(adapter.dispatch('named_twice', 'poolhouse')()) }}
{%- endmacro %}

{% macro default__named_twice() -%}{%- endmacro %}

{% macro duckdb__named_twice() -%}
    not materialized
{%- endmacro %}
