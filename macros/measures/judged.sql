{#-
    Judged documents in the top k, over the smaller of k and the length of the ranking, as in ir_measures. A short
    ranking is not penalized for its length.
-#}
{% macro measure_judged(m) -%}
    {%- set n_looked_at = 'least(' ~ m.cutoff ~ ', ' ~ n_retrieved() ~ ')' if m.cutoff else n_retrieved() -%}
    {{ over_total('count(' ~ m.is_relevant ~ ') filter (where ' ~ m.within ~ ')', n_looked_at) }}
{%- endmacro %}

{% macro signature_of_judged() %}
    {{ return({'name': 'Judged', 'rows': 'judged', 'cutoff': 'allowed', 'parameters': {}, 'ties': 'judged'}) }}
{% endmacro %}
