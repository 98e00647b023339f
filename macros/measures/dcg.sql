{#- Discounted cumulative gain: the sum over which nDCG is normalized. -#}
{% macro measure_dcg(m) -%}
    coalesce(
        sum({{ discounted_gain('rank', m.gain) }}) filter (where {{ m.has_gain }} and {{ m.within }}), 0
    )
{%- endmacro %}

{% macro signature_of_dcg() %}
    {{ return({
        'name': 'DCG',
        'rows': 'gains',
        'cutoff': 'allowed',
        'parameters': {'dcg': 'log2', 'gains': none, 'judged_only': 'false'},
    }) }}
{% endmacro %}
