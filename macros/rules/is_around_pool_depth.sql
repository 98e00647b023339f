{#-
    Whether a rank is at most twice the pool depth, so that the end of the qrels can be seen from both sides. The
    condition compares a difference, because twice the largest depth that can be declared is too large for an
    integer.
-#}
{% macro is_around_pool_depth(rank, pool_depth) -%}
    {{ rank }} - {{ pool_depth }} <= {{ pool_depth }}
{%- endmacro %}
