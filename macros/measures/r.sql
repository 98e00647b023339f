{#- Recall: relevant documents in the top k, over the topic's relevant documents. -#}
{% macro measure_r(cutoff, parameters) -%}
    {{ over_total('count(*) filter (where is_relevant and rank <= ' ~ cutoff ~ ')', 'any_value(n_relevant)') }}
{%- endmacro %}
