{#-
    Average assessment precision: average precision with judged documents in place of relevant ones (Baillie et al.
    2008, 2 and 3.1). The assessment precision at each judged document in the top k, or in the whole ranking, is
    added up and divided by the number of judged documents of the topic.
-#}
{% macro measure_aap(m) -%}
    {{ over_total(
        'sum(nth_judged / rank) filter (where ' ~ m.is_relevant ~ ' is not null and ' ~ m.within ~ ')',
        'any_value(n_judged)'
    ) }}
{%- endmacro %}

{% macro signature_of_aap() %}
    {{ return({'name': 'AAP', 'rows': 'judged', 'cutoff': 'allowed', 'parameters': {}}) }}
{% endmacro %}
