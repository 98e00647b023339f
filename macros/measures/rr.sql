{#- Reciprocal rank of the first relevant document; 0 where none is retrieved in the top k. -#}
{% macro measure_rr(m) -%}
    coalesce(1 / min(rank) filter (where {{ m.is_relevant }} and {{ m.within }}), 0)
{%- endmacro %}

{% macro signature_of_rr() %}
    {{ return({
        'name': 'RR',
        'rows': 'gains',
        'cutoff': 'allowed',
        'parameters': {'rel': none, 'judged_only': 'false'},
    }) }}
{% endmacro %}
