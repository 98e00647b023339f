{#- Mean of the interpolated precision at the recall levels 0, 0.1, 0.2 and so on to 1. -#}
{% macro measure_iprecavg(m) -%}
    {%- set precisions = [] -%}
    {%- for tenths in range(11) -%}
        {%- do precisions.append(measure_iprec(dict(m, cutoff=tenths / 10))) -%}
    {%- endfor -%}
    ({{ precisions | join(' + ') }}) / 11
{%- endmacro %}

{% macro signature_of_iprecavg() %}
    {{ return({'name': 'IPrecAvg', 'rows': 'gains', 'cutoff': 'none', 'parameters': {'rel': none}}) }}
{% endmacro %}
