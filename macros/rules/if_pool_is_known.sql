{#-
    A value that depends on who contributed what to the pool; null where the depth of the pool is not known, because
    then nothing tells it. 0 would say that nobody contributed. `depths` is a CTE with a pool_depth for each collection.
-#}
{% macro if_pool_is_known(value, depths='pool_depths') -%}
    case when {{ depths }}.pool_depth is not null then {{ value }} end
{%- endmacro %}
