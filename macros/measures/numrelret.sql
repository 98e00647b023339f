{#- Relevant documents retrieved. -#}
{% macro measure_numrelret(m) -%}
    count(*) filter (where {{ m.is_relevant }})
{%- endmacro %}

{% macro signature_of_numrelret() %}
    {{ return({'name': 'NumRelRet', 'rows': 'gains', 'cutoff': 'none', 'parameters': {'rel': none}}) }}
{% endmacro %}
