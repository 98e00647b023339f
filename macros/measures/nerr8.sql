{#-
    NERR8, "nearly expected reciprocal rank" by equation 8 of Azzopardi, Mackenzie and Moffat 2021: a reader who stops
    at a document with a probability of its gain, and at rank k.
-#}
{% macro measure_nerr8(m) -%}
    {{ gain_of_stopping_reader(m, '1', '(1 - document.gain)') }}
{%- endmacro %}

{% macro signature_of_nerr8() %}
    {{ return({'name': 'NERR8', 'rows': 'gains', 'cutoff': 'needed', 'parameters': {'min_rel': 0, 'max_rel': none}}) }}
{% endmacro %}
