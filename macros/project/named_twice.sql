{#-
    Says of a CTE that is named more than once that it is computed each time: `rows as {{ named_twice() }} (`.
    DuckDB 2.0 keeps what it holds instead, and then never ends a query with a `limit`
    (docs/decisions/duckdb_hang.md).
-#}
{% macro named_twice() -%}
    {{ return(adapter.dispatch('named_twice', 'poolhouse')()) }}
{%- endmacro %}

{% macro default__named_twice() -%}{%- endmacro %}

{% macro duckdb__named_twice() -%}
    not materialized
{%- endmacro %}
