{#- Number of topics: each counts 1. -#}
{% macro measure_numq(m) -%}
    1
{%- endmacro %}

{% macro signature_of_numq() %}
    {{ return({'name': 'NumQ', 'rows': 'gains', 'cutoff': 'none', 'parameters': {}}) }}
{% endmacro %}
