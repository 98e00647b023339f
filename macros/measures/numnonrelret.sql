{#- Documents retrieved that were judged not relevant. -#}
{% macro measure_numnonrelret(m) -%}
    count(*) filter (where not {{ m.is_relevant }})
{%- endmacro %}

{% macro signature_of_numnonrelret() %}
    {{ return({'name': 'NumNonRelRet', 'rows': 'judged', 'cutoff': 'none', 'parameters': {'rel': none}}) }}
{% endmacro %}
