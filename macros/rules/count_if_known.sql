{#- Number of rows where a condition holds; null where it is known of no row. -#}
{% macro count_if_known(condition) -%}
    cast(case when count({{ condition }}) > 0 then count_if({{ condition }}) end as integer)
{%- endmacro %}
