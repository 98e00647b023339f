{#-
    Average precision of the set: its precision times its recall, in trec_eval's order, because another order gives
    other last digits.
-#}
{% macro measure_setap(m) -%}
    {%- set found = measure_numrelret(m) -%}
    {{ over_total(found ~ ' * ' ~ found, '(' ~ n_retrieved() ~ ' * ' ~ m.n_relevant ~ ')') }}
{%- endmacro %}

{% macro signature_of_setap() %}
    {{ return({
        'name': 'SetAP', 'rows': 'judged', 'cutoff': 'none', 'parameters': {'rel': none, 'judged_only': 'false'}
    }) }}
{% endmacro %}
