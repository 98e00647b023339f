{#-
    Average precision for the geometric mean over topics. An AP below 0.00001 counts as 0.00001, as in trec_eval,
    because a single topic with 0 would make the mean 0 (Robertson 2006).
-#}
{% macro measure_gmap(m) -%}
    greatest({{ measure_ap(m) }}, 0.00001)
{%- endmacro %}

{% macro signature_of_gmap() %}
    {{ return({'name': 'GMAP', 'rows': 'gains', 'cutoff': 'none', 'parameters': {'rel': none}}) }}
{% endmacro %}
