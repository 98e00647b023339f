{#-
    Yet another average precision (Robertson 2012, as in trec_eval): log((1 + s) / (1 + R - s)), where s is the sum of
    the precision at each relevant document, which average precision divides by R.
-#}
{% macro measure_yaap(m) -%}
    {%- set total = 'coalesce(sum(' ~ m.nth_relevant ~ ' / rank) filter (where ' ~ m.is_relevant ~ '), 0)' -%}
    ln((1 + {{ total }}) / (1 + {{ m.n_relevant }} - {{ total }}))
{%- endmacro %}

{% macro signature_of_yaap() %}
    {{ return({'name': 'YAAP', 'rows': 'gains', 'cutoff': 'none', 'parameters': {'rel': none}}) }}
{% endmacro %}
