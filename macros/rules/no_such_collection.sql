{#- What a table macro answers where the collection that it is asked for is not built. -#}
{% macro no_such_collection(collection) -%}
    error('no collection is built that is called ' || coalesce({{ collection }}, 'null'))
{%- endmacro %}
