{#-
    Recall of assessment: judged documents in the top k, over the judged documents of the topic (Baillie et al.
    2008, 3.1).
-#}
{% macro measure_ra(m) -%}
    {{ over_total('count(' ~ m.is_relevant ~ ') filter (where ' ~ m.within ~ ')', 'any_value(n_judged)') }}
{%- endmacro %}

{% macro signature_of_ra() %}
    {{ return({'name': 'RA', 'rows': 'judged', 'cutoff': 'allowed', 'parameters': {}, 'ties': 'judged'}) }}
{% endmacro %}
