{#-
    Average precision for the geometric mean over topics: an AP below 0.00001 counts as that, as in
    trec_eval, since one topic of 0 would make the mean 0 (Robertson 2006).
-#}
{% macro measure_gmap(m) -%}
    greatest({{ measure_ap(m) }}, 0.00001)
{%- endmacro %}

{% macro signature_of_gmap() %}
    {{ return({'name': 'GMAP', 'rows': 'gains', 'cutoff': 'none', 'parameters': {'rel': none}}) }}
{% endmacro %}
