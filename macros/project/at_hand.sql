{#-
    What a build makes at a time: one collection, and where that is enough, some of its runs; or
    several small collections. The runner sets these variables (loaders/poolhouse/building/runner.py); where
    nobody did, as in dbt's own builds, every row is at hand. A variable and not a subquery: the planner
    sees a constant, and knows that it keeps most rows and not a handful.
-#}
{% macro is_at_hand() -%}
    {{- is_one_of('collection_key', 'collections_at_hand') -}}
{%- endmacro %}

{#- The same, where a collection has its name. -#}
{% macro is_named_at_hand() -%}
    {{- is_one_of('collection_id', 'collection_ids_at_hand') -}}
{%- endmacro %}

{#- Whether a list has the value of a column, folded to `column = value` for a list of one. -#}
{% macro is_one_of(column, variable) -%}
    case
        when getvariable('{{ variable }}') is null then true
        when len(getvariable('{{ variable }}')) = 1 then {{ column }} = getvariable('{{ variable }}')[1]
        else list_contains(getvariable('{{ variable }}'), {{ column }})
    end
{%- endmacro %}

{#- Whether a row belongs to a run that is being built: all of the collection, or the changed ones. -#}
{% macro is_run_at_hand() -%}
    (getvariable('runs_at_hand') is null or list_contains(getvariable('runs_at_hand'), run_key))
{%- endmacro %}

{#- A test of a relation reads the rows of the collection at hand, where its rows are of collections. -#}
{% macro get_where_subquery(relation) -%}
    {%- set columns = columns_of(relation) -%}
    {%- set is_of_collection = 'collection_key' in columns or 'collection_id' in columns -%}
    {%- if is_of_collection -%}
        (
            select * from {{ relation }}
            where {{ is_at_hand() if 'collection_key' in columns else is_named_at_hand() }}
        ) as rows_at_hand
    {%- else -%}
        {{ relation }}
    {%- endif -%}
{%- endmacro %}

{#- The columns of a model or seed, as its YAML names them. -#}
{% macro columns_of(relation) %}
    {%- set found = [] -%}
    {%- if execute -%}
        {%- for node in graph.nodes.values() -%}
            {%- if node.resource_type in ('model', 'seed') and node.alias == relation.identifier -%}
                {%- do found.extend(node.columns.keys()) -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endif -%}
    {{ return(found) }}
{% endmacro %}
