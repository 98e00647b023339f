{#-
    Whether a rank is at most twice the pool depth: where the qrels end is seen on both sides of it. A
    difference is compared, since twice the largest depth that can be declared is no integer.
-#}
{% macro is_around_pool_depth(rank, pool_depth) -%}
    {{ rank }} - {{ pool_depth }} <= {{ pool_depth }}
{%- endmacro %}
