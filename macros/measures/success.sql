{#- Success: 1 where a relevant document is in the top k, otherwise 0. -#}
{% macro measure_success(m) -%}
    cast(count(*) filter (where {{ m.is_relevant }} and {{ m.within }}) > 0 as integer)
{%- endmacro %}

{% macro signature_of_success() %}
    {{ return({
        'name': 'Success',
        'rows': 'gains',
        'cutoff': 'needed',
        'parameters': {'rel': none, 'judged_only': 'false'},
    }) }}
{% endmacro %}
