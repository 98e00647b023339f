{#-
    NERR11, "nearly expected reciprocal rank" by equation 11 of Azzopardi, Mackenzie and Moffat 2021: a reader who stops
    at a document with a probability of its gain, and also by the rank, as in INSQ.
-#}
{% macro measure_nerr11(m) -%}
    {{ gain_of_stopping_reader(m, insq_weight(m), '(1 - document.gain)') }}
{%- endmacro %}

{% macro signature_of_nerr11() %}
    {{ return({'name': 'NERR11', 'rows': 'gains', 'cutoff': 'none', 'parameters': {'T': 1, 'min_rel': 0, 'max_rel': none}}) }}
{% endmacro %}
