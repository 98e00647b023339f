{#- Relevant documents of the topic. -#}
{% macro measure_numrel(m) -%}
    {{ m.n_relevant }}
{%- endmacro %}

{% macro signature_of_numrel() %}
    {{ return({'name': 'NumRel', 'rows': 'gains', 'cutoff': 'none', 'parameters': {'rel': none}}) }}
{% endmacro %}
