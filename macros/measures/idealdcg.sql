{#- Discounted cumulative gain of the ideal ranking. -#}
{% macro measure_idealdcg(m) -%}
    {{ m.ideal_dcg }}
{%- endmacro %}

{% macro signature_of_idealdcg() %}
    {{ return({
        'name': 'IdealDCG', 'rows': 'gains', 'cutoff': 'allowed', 'parameters': {'dcg': 'log2', 'gains': none}
    }) }}
{% endmacro %}
