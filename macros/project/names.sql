{#- A folder's schema as it is written, without the target's name before it. -#}
{% macro generate_schema_name(custom_schema_name, node) -%}
    {{ custom_schema_name if custom_schema_name else target.schema }}
{%- endmacro %}

{#- The side file is renamed after the build: views must not hold the database's name. -#}
{% macro ref() -%}
    {% do return(builtins.ref(*varargs, **kwargs).include(database=false)) %}
{%- endmacro %}

{% macro source() -%}
    {% do return(builtins.source(*varargs, **kwargs).include(database=false)) %}
{%- endmacro %}
