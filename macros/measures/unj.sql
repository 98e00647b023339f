{#-
    Unjudged documents in the top k, over k, as unj of trec_eval 10. Positions that a short ranking lacks are not
    counted; UnjudgedRate counts them.
-#}
{% macro measure_unj(m) -%}
    (
        least({{ m.cutoff }}, {{ n_retrieved() }}) - count({{ m.is_relevant }}) filter (where {{ m.within }})
    ) / {{ m.cutoff }}
{%- endmacro %}

{% macro signature_of_unj() %}
    {{ return({'name': 'Unj', 'rows': 'judged', 'cutoff': 'needed', 'parameters': {}, 'ties': 'unjudged'}) }}
{% endmacro %}
