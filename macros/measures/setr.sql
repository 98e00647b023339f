{#- Recall of the whole ranking: relevant documents retrieved, over the relevant documents of the topic. -#}
{% macro measure_setr(m) -%}
    {{ over_total(measure_numrelret(m), m.n_relevant) }}
{%- endmacro %}

{% macro signature_of_setr() %}
    {{ return({'name': 'SetR', 'rows': 'gains', 'cutoff': 'none', 'parameters': {'rel': none}}) }}
{% endmacro %}
