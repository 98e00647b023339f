{#-
    NERR9, "nearly expected reciprocal rank" by equation 9 of Azzopardi, Mackenzie and Moffat 2021: a reader who stops
    at a document with a probability of its gain, and reaches rank i with a probability proportional to 1 / i, down to rank k.
-#}
{% macro measure_nerr9(m) -%}
    {{ gain_of_stopping_reader(m, '(1 / {rank})', '(1 - document.gain)') }}
{%- endmacro %}

{% macro signature_of_nerr9() %}
    {{ return({'name': 'NERR9', 'rows': 'gains', 'cutoff': 'needed', 'parameters': {'min_rel': 0, 'max_rel': none}}) }}
{% endmacro %}
