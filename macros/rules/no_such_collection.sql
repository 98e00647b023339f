{#- The message of a table macro for a collection that is not built. -#}
{% macro no_such_collection(collection) -%}
    error('no collection is built with the name ' || coalesce({{ collection }}, 'null'))
{%- endmacro %}
