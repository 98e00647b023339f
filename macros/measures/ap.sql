{#-
    Average precision: precision at each relevant document in the top k, or in the whole ranking,
    added up and divided by all relevant ones of the topic.
-#}
{% macro measure_ap(m) -%}
    {{ over_total(
        'sum(' ~ m.nth_relevant ~ ' / rank) filter (where ' ~ m.is_relevant ~ ' and ' ~ m.within ~ ')',
        m.n_relevant
    ) }}
{%- endmacro %}

{% macro signature_of_ap() %}
    {{ return({'name': 'AP', 'rows': 'gains', 'cutoff': 'allowed', 'parameters': {'rel': none}}) }}
{% endmacro %}
