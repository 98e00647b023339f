{#- Anti-precision: judged non-relevant documents in the top k, over k (Lipani et al. 2015, 3). -#}
{% macro measure_antip(m) -%}
    count(*) filter (where not {{ m.is_relevant }} and {{ m.within }}) / {{ m.cutoff }}
{%- endmacro %}

{% macro signature_of_antip() %}
    {{ return({
        'name': 'AntiP',
        'rows': 'judged',
        'cutoff': 'needed',
        'parameters': {'rel': none},
        'ties': 'nonrelevant',
    }) }}
{% endmacro %}
