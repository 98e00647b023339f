{#- Precision: relevant documents in the top k, over k. -#}
{% macro measure_p(m) -%}
    count(*) filter (where {{ m.is_relevant }} and {{ m.within }}) / {{ m.cutoff }}
{%- endmacro %}

{% macro signature_of_p() %}
    {{ return({
        'name': 'P',
        'rows': 'gains',
        'cutoff': 'needed',
        'parameters': {'rel': none, 'judged_only': 'false'},
    }) }}
{% endmacro %}
