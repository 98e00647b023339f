{#-
    Average precision for the geometric mean over topics. An AP below 0.00001 counts as 0.00001, as in trec_eval,
    because a single topic with 0 would make the mean 0 (Robertson 2006).
-#}
{% macro measure_gmap(m) -%}
    greatest({{ measure_ap(m) }}, {{ least_for_geometric_mean() }})
{%- endmacro %}

{% macro signature_of_gmap() %}
    {{ return({'name': 'GMAP', 'rows': 'gains', 'cutoff': 'none', 'parameters': {'rel': none}}) }}
{% endmacro %}

{#- The lowest score of a topic in a geometric mean (MIN_GEO_MEAN of trec_eval). -#}
{% macro least_for_geometric_mean() -%}
    0.00001
{%- endmacro %}
