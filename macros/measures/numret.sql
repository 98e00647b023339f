{#- Documents retrieved. -#}
{% macro measure_numret(m) -%}
    {{ n_retrieved() }}
{%- endmacro %}

{% macro signature_of_numret() %}
    {{ return({'name': 'NumRet', 'rows': 'judged', 'cutoff': 'none', 'parameters': {}}) }}
{% endmacro %}

{#- Length of the ranking. A condensed ranking (n_retrieved is null) consists of its judged documents alone. -#}
{% macro n_retrieved() -%}
    coalesce(any_value(n_retrieved), count(is_relevant))
{%- endmacro %}
