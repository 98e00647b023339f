{#-
    INSQ (Moffat, Scholer and Thomas 2012): a reader who wants a gain of T and reaches rank i with a probability
    proportional to 1 / (i + 2T - 1)^2, as in cwl_eval.
-#}
{% macro measure_insq(m) -%}
    {{ gain_of_steady_reader(m, insq_weight(m)) }}
{%- endmacro %}

{% macro signature_of_insq() %}
    {{ return({'name': 'INSQ', 'rows': 'gains', 'cutoff': 'none', 'parameters': {'T': 1, 'min_rel': 0, 'max_rel': none}}) }}
{% endmacro %}

{#- The weight of a rank for a reader who still wants twice T, less `found`. -#}
{% macro insq_weight(m, found='0') -%}
    (1 / pow({rank} - 1 + 2 * cast({{ m.parameters.T }} as double) - {{ found }}, 2))
{%- endmacro %}
