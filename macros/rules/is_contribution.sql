{#-
    Whether a run of the pool contributes the document that it returns at this rank: whether the rank is at most the
    pool depth. The rank belongs to the order in which the collection is pooled.
-#}
{% macro is_contribution(pooling_rank, pool_depth) -%}
    {{ pooling_rank }} <= {{ pool_depth }}
{%- endmacro %}
