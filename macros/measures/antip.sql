{#- Anti-precision: judged non-relevant documents in the top k, over k (Lipani et al. 2015, 3). -#}
{% macro measure_antip(cutoff, parameters) -%}
    count(*) filter (where not is_relevant and rank <= {{ cutoff }}) / {{ cutoff }}
{%- endmacro %}
