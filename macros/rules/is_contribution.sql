{#-
    Whether a run of the pool contributes the document that it returns at this rank: down to the pool depth. The
    rank is that of the order by which the collection is pooled.
-#}
{% macro is_contribution(pooling_rank, pool_depth) -%}
    {{ pooling_rank }} <= {{ pool_depth }}
{%- endmacro %}
