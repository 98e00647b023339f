{#-
    Average assessment precision: average precision with judged in the place of relevant (Baillie et
    al. 2008, 2 and 3.1). Assessment precision at each judged document in the top k, or in the whole
    ranking, added up and divided by all judged ones of the topic.
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
