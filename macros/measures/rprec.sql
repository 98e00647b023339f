{#- R-precision: precision at as many documents as the topic has relevant ones. -#}
{% macro measure_rprec(cutoff, parameters) -%}
    {{ over_total('count(*) filter (where is_relevant and rank <= n_relevant)', 'any_value(n_relevant)') }}
{%- endmacro %}
