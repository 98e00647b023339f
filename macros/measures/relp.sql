{#- Relative precision: relevant documents in the top k, over as many as the top k can have. -#}
{% macro measure_relp(m) -%}
    {{ over_total(
        'count(*) filter (where ' ~ m.is_relevant ~ ' and ' ~ m.within ~ ')',
        'least(' ~ m.cutoff ~ ', ' ~ m.n_relevant ~ ')'
    ) }}
{%- endmacro %}

{% macro signature_of_relp() %}
    {{ return({'name': 'RelP', 'rows': 'gains', 'cutoff': 'needed', 'parameters': {'rel': none}}) }}
{% endmacro %}
