{#- Precision: relevant documents in the top k, over k. -#}
{% macro measure_p(cutoff, parameters) -%}
    count(*) filter (where is_relevant and rank <= {{ cutoff }}) / {{ cutoff }}
{%- endmacro %}
