{#-
    NERR10, "nearly expected reciprocal rank" by equation 10 of Azzopardi, Mackenzie and Moffat 2021: a reader who stops
    at a document with a probability of its gain, and goes on with probability p after any document, as in RBP.
-#}
{% macro measure_nerr10(m) -%}
    {{ gain_of_stopping_reader(m, rbp_weight(m.parameters.p, '{rank}'), '(1 - document.gain)') }}
{%- endmacro %}

{% macro signature_of_nerr10() %}
    {{ return({'name': 'NERR10', 'rows': 'gains', 'cutoff': 'none', 'parameters': {'p': 0.9, 'min_rel': 0, 'max_rel': none}}) }}
{% endmacro %}
