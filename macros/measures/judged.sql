{#-
    Judged documents in the top k, over the smaller of k and the length of the ranking, as in ir_measures. A short
    ranking is not penalized for its length.
-#}
{% macro measure_judged(m) -%}
    {{ over_total('count(' ~ m.is_relevant ~ ') filter (where ' ~ m.within ~ ')', n_looked_at(m)) }}
{%- endmacro %}

{% macro signature_of_judged() %}
    {{ return({'name': 'Judged', 'rows': 'judged', 'cutoff': 'allowed', 'parameters': {}, 'ties': 'judged'}) }}
{% endmacro %}

{#- The documents in the top k. -#}
{% macro n_looked_at(m) -%}
    {{ 'least(' ~ m.cutoff ~ ', ' ~ n_retrieved() ~ ')' if m.cutoff else n_retrieved() }}
{%- endmacro %}
