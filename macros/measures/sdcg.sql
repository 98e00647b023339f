{#-
    Scaled discounted cumulative gain: DCG with gains from 0 to 1, over DCG of k documents of the highest grade, as in
    cwl_eval. Unlike nDCG, it does not depend on how many such documents the topic has.
-#}
{% macro measure_sdcg(m) -%}
    {{ gain_of_steady_reader(m, '(' ~ discounted_gain('{rank}', '1') ~ ')') }}
{%- endmacro %}

{% macro signature_of_sdcg() %}
    {{ return({'name': 'SDCG', 'rows': 'gains', 'cutoff': 'needed', 'parameters': {'min_rel': 0, 'max_rel': none}}) }}
{% endmacro %}
