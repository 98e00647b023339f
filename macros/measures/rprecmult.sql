{#-
    Precision at a multiple of R, the number of relevant documents of the topic, as in trec_eval: at rank
    floor(x R + 0.9), and 0 where that rank is 0.
-#}
{% macro measure_rprecmult(m) -%}
    {%- set rank = 'floor(cast(' ~ m.cutoff ~ ' as double) * ' ~ m.n_relevant_column ~ ' + cast(0.9 as double))' -%}
    {{ over_total(
        'count(*) filter (where ' ~ m.is_relevant ~ ' and rank <= ' ~ rank ~ ')', 'any_value(' ~ rank ~ ')'
    ) }}
{%- endmacro %}

{% macro signature_of_rprecmult() %}
    {{ return({'name': 'RprecMult', 'rows': 'gains', 'cutoff': 'multiple', 'parameters': {'rel': none}}) }}
{% endmacro %}
