{#- Recall: relevant documents in the top k, over the topic's relevant documents. -#}
{% macro measure_r(m) -%}
    {{ over_total('count(*) filter (where ' ~ m.is_relevant ~ ' and ' ~ m.within ~ ')', m.n_relevant) }}
{%- endmacro %}

{% macro signature_of_r() %}
    {{ return({
        'name': 'R',
        'rows': 'gains',
        'cutoff': 'needed',
        'parameters': {'rel': none, 'judged_only': 'false'},
    }) }}
{% endmacro %}
