{#- Precision of the whole ranking: relevant documents retrieved, over all documents retrieved. -#}
{% macro measure_setp(m) -%}
    {{ over_total(measure_numrelret(m), n_retrieved()) }}
{%- endmacro %}

{% macro signature_of_setp() %}
    {{ return({'name': 'SetP', 'rows': 'judged', 'cutoff': 'none', 'parameters': {'rel': none}}) }}
{% endmacro %}
