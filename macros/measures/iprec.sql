{#-
    Interpolated precision at a recall level: the highest precision at a rank where at least that share of the
    relevant documents is found. trec_eval requires floor(level * R + 0.9) of them, in doubles: 0.7 of 3 gives
    2.0999999999999996.
-#}
{% macro measure_iprec(m) -%}
    {%- set n_needed = 'floor(cast(' ~ m.cutoff ~ ' as double) * ' ~ m.n_relevant_column ~ ' + cast(0.9 as double))' -%}
    coalesce(
        max({{ m.nth_relevant }} / rank) filter (where {{ m.is_relevant }} and {{ m.nth_relevant }} >= {{ n_needed }}), 0
    )
{%- endmacro %}

{% macro signature_of_iprec() %}
    {{ return({
        'name': 'IPrec',
        'rows': 'gains',
        'cutoff': 'recall',
        'parameters': {'rel': none, 'judged_only': 'false'},
    }) }}
{% endmacro %}
