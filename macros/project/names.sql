{#- The schema of a folder as it is written, without the name of the target before it. -#}
{% macro generate_schema_name(custom_schema_name, node) -%}
    {{ custom_schema_name if custom_schema_name else target.schema }}
{%- endmacro %}

{#- The side file is renamed after the build, so views must not contain the name of the database. -#}
{% macro ref() -%}
    {% do return(builtins.ref(*varargs, **kwargs).include(database=false)) %}
{%- endmacro %}

{% macro source() -%}
    {% do return(builtins.source(*varargs, **kwargs).include(database=false)) %}
{%- endmacro %}
