{#-
    Assessment precision: judged documents in the top k, over k (Baillie et al. 2008, 3.1).
-#}
{% macro measure_a(m) -%}
    count({{ m.is_relevant }}) filter (where {{ m.within }}) / {{ m.cutoff }}
{%- endmacro %}

{% macro signature_of_a() %}
    {{ return({'name': 'A', 'rows': 'judged', 'cutoff': 'needed', 'parameters': {}, 'ties': 'judged'}) }}
{% endmacro %}
