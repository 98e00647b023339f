{#-
    R-precision of assessment: assessment precision at rank J, where J is the number of judged documents of the
    topic (Baillie et al. 2008, 3.1).
-#}
{% macro measure_arprec(m) -%}
    {{ over_total('count(' ~ m.is_relevant ~ ') filter (where rank <= n_judged)', 'any_value(n_judged)') }}
{%- endmacro %}

{% macro signature_of_arprec() %}
    {{ return({'name': 'ARprec', 'rows': 'judged', 'cutoff': 'none', 'parameters': {}}) }}
{% endmacro %}
