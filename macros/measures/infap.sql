{#-
    Inferred average precision (Yilmaz & Aslam 2006, as in trec_eval). The precision at a relevant document is an
    expected value. It is computed from the documents above it that are in the pool (negative grades are pooled and
    unjudged), and from the share of relevant documents among the judged ones of them. With a complete pool it is
    AP, except for the smoothing of that share.
-#}
{% macro measure_infap(m) -%}
    {%- set relevant_above = '(' ~ m.nth_relevant ~ ' - 1)' -%}
    {%- set judged_above = '(nth_judged - 1)' -%}
    {%- set pooled_above = '(nth_judged - 1 + nth_pooled_unjudged)' -%}
    {{ over_total(
        'sum((1 + ' ~ expected_relevant(pooled_above, relevant_above, judged_above) ~ ') / rank) filter (where '
            ~ m.is_relevant ~ ')',
        m.n_relevant
    ) }}
{%- endmacro %}

{#- How many of so many documents are expected to be relevant, by those of them that are judged. -#}
{% macro expected_relevant(n_documents, n_relevant, n_judged) -%}
    {%- set smoothing = '0.00001' -%}
    {{ n_documents }} * ({{ n_relevant }} + {{ smoothing }}) / ({{ n_judged }} + 2 * {{ smoothing }})
{%- endmacro %}

{% macro signature_of_infap() %}
    {{ return({'name': 'infAP', 'rows': 'gains', 'cutoff': 'none', 'parameters': {'rel': none}, 'ties': 'unknown'}) }}
{% endmacro %}
