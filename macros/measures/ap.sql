{#-
    Average precision: the precision at each relevant document in the top k, or in the whole ranking, is added up
    and divided by the number of relevant documents of the topic.
-#}
{% macro measure_ap(m) -%}
    {{ over_total(
        'sum(' ~ m.nth_relevant ~ ' / rank) filter (where ' ~ m.is_relevant ~ ' and ' ~ m.within ~ ')',
        m.n_relevant
    ) }}
{%- endmacro %}

{% macro signature_of_ap() %}
    {{ return({
        'name': 'AP',
        'rows': 'gains',
        'cutoff': 'allowed',
        'parameters': {'rel': none, 'judged_only': 'false'},
    }) }}
{% endmacro %}
