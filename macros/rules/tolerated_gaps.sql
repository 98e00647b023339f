{#-
    Documents down to the pool depth that the qrels may lack in each topic of a run that was pooled
    all the same (docs/decisions/depth_inference.md).
-#}
{% macro tolerated_gaps(pool_depth) -%}
    cast(floor({{ pool_depth }} / {{ var('ranks_per_tolerated_gap') }}) as integer)
{%- endmacro %}
