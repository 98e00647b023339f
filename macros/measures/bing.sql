{#-
    Binary G (trec_eval): for each relevant document 1 / log2(2 + documents above it that are not relevant), over the
    relevant documents of the topic. Unjudged documents are not relevant.
-#}
{% macro measure_bing(m) -%}
    {{ over_total(
        'sum(1 / log2(2 + rank - ' ~ m.nth_relevant ~ ')) filter (where ' ~ m.is_relevant ~ ')', m.n_relevant
    ) }}
{%- endmacro %}

{% macro signature_of_bing() %}
    {{ return({'name': 'BinG', 'rows': 'gains', 'cutoff': 'none', 'parameters': {'rel': none}}) }}
{% endmacro %}
