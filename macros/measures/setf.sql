{#-
    F of the whole ranking: (1 + beta) P R / (beta P + R), 0 where both are 0. `beta` is the number that other texts
    write as the square of beta, as the parameter of trec_eval's set_F and of ir_measures' SetF is.
-#}
{% macro measure_setf(m) -%}
    {%- set beta = m.parameters.beta -%}
    {{ over_total(
        '(1 + ' ~ beta ~ ') * ' ~ measure_setp(m) ~ ' * ' ~ measure_setr(m),
        '(' ~ beta ~ ' * ' ~ measure_setp(m) ~ ' + ' ~ measure_setr(m) ~ ')'
    ) }}
{%- endmacro %}

{% macro signature_of_setf() %}
    {{ return({
        'name': 'SetF',
        'rows': 'judged',
        'cutoff': 'none',
        'parameters': {'rel': none, 'beta': 1, 'judged_only': 'false'},
    }) }}
{% endmacro %}
