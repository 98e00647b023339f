{#- R-precision: precision at as many documents as the topic has relevant ones. -#}
{% macro measure_rprec(m) -%}
    {{ over_total(
        'count(*) filter (where ' ~ m.is_relevant ~ ' and rank <= ' ~ m.n_relevant_column ~ ')', m.n_relevant
    ) }}
{%- endmacro %}

{% macro signature_of_rprec() %}
    {{ return({'name': 'Rprec', 'rows': 'gains', 'cutoff': 'none', 'parameters': {'rel': none}}) }}
{% endmacro %}
