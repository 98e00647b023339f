{#-
    Binary preference for the geometric mean over topics. A value below 0.00001 counts as 0.00001, as in trec_eval.
-#}
{% macro measure_gmbpref(m) -%}
    greatest({{ measure_bpref(m) }}, {{ least_for_geometric_mean() }})
{%- endmacro %}

{% macro signature_of_gmbpref() %}
    {{ return({'name': 'GMBpref', 'rows': 'gains', 'cutoff': 'none', 'parameters': {'rel': none}}) }}
{% endmacro %}
