{#- R-precision: precision at rank R, where R is the number of relevant documents of the topic. -#}
{% macro measure_rprec(m) -%}
    {{ over_total(
        'count(*) filter (where ' ~ m.is_relevant ~ ' and rank <= ' ~ m.n_relevant_column ~ ')', m.n_relevant
    ) }}
{%- endmacro %}

{% macro signature_of_rprec() %}
    {{ return({
        'name': 'Rprec',
        'rows': 'gains',
        'cutoff': 'none',
        'parameters': {'rel': none, 'judged_only': 'false'},
    }) }}
{% endmacro %}
