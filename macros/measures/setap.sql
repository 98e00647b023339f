{#- Average precision of the set: its precision times its recall. -#}
{% macro measure_setap(m) -%}
    {{ measure_setp(m) }} * {{ measure_setr(m) }}
{%- endmacro %}

{% macro signature_of_setap() %}
    {{ return({
        'name': 'SetAP', 'rows': 'judged', 'cutoff': 'none', 'parameters': {'rel': none, 'judged_only': 'false'}
    }) }}
{% endmacro %}
