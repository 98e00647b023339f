{#-
    Unjudged rate, which Lipani et al. 2015 (section 3) call k@k: the positions in the top k whose document is
    neither relevant nor judged non-relevant, over k. Positions that a short ranking lacks are unjudged.
-#}
{% macro measure_unjudgedrate(m) -%}
    ({{ m.cutoff }} - count({{ m.is_relevant }}) filter (where {{ m.within }})) / {{ m.cutoff }}
{%- endmacro %}

{% macro signature_of_unjudgedrate() %}
    {{ return({'name': 'UnjudgedRate', 'rows': 'judged', 'cutoff': 'needed', 'parameters': {}, 'ties': 'unjudged'}) }}
{% endmacro %}
