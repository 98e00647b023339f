{#-
    Binary preference (Buckley & Voorhees 2004, as trec_eval corrected it): for each relevant document, the share of
    the judged non-relevant documents (R of them at most) that do not come before it.
-#}
{% macro measure_bpref(m) -%}
    {%- set n_relevant = m.n_relevant_column -%}
    {%- set preferred_wrongly = 'least(nth_judged - ' ~ m.nth_relevant ~ ', ' ~ n_relevant ~ ')' -%}
    {%- set preferable = 'least(n_judged - ' ~ n_relevant ~ ', ' ~ n_relevant ~ ')' -%}
    {{ over_total(
        'sum(1 - ' ~ over_total(preferred_wrongly, preferable) ~ ') filter (where ' ~ m.is_relevant ~ ')',
        m.n_relevant
    ) }}
{%- endmacro %}

{% macro signature_of_bpref() %}
    {{ return({'name': 'Bpref', 'rows': 'gains', 'cutoff': 'none', 'parameters': {'rel': none}}) }}
{% endmacro %}
