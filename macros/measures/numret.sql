{#- Documents retrieved; with a relevance level, the relevant ones, as in ir_measures. -#}
{% macro measure_numret(m) -%}
    case when {{ m.has_level }} then {{ measure_numrelret(m) }} else {{ n_retrieved() }} end
{%- endmacro %}

{% macro signature_of_numret() %}
    {{ return({'name': 'NumRet', 'rows': 'judged', 'cutoff': 'none', 'parameters': {'rel': none}}) }}
{% endmacro %}

{#- Length of the ranking. A condensed ranking (n_retrieved is null) consists of its judged documents alone. -#}
{% macro n_retrieved() -%}
    coalesce(any_value(n_retrieved), count(is_relevant))
{%- endmacro %}
