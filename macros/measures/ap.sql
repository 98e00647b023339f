{#- Average precision: precision at each relevant document retrieved, over all relevant ones. -#}
{% macro measure_ap(cutoff, parameters) -%}
    {{ over_total('sum(nth_relevant / rank) filter (where is_relevant)', 'any_value(n_relevant)') }}
{%- endmacro %}
