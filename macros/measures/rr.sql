{#- Reciprocal rank of the first relevant document; 0 where none is retrieved. -#}
{% macro measure_rr(cutoff, parameters) -%}
    coalesce(1 / min(rank) filter (where is_relevant), 0)
{%- endmacro %}
