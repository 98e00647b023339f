{#-
    G (trec_eval): for each document with a gain, its gain / log2(2 + cost - gain so far), over the gain of the ideal
    ranking. The cost of a rank is the gain of the ideal ranking there, and at least 1. The cost is added up down to
    the document, as the gain is.
-#}
{% macro measure_g(m) -%}
    {%- set cost = '(ideal_cost_so_far + greatest(rank - n_gainful, 0))' -%}
    {{ over_total(
        'sum(gain / log2(2 + ' ~ cost ~ ' - gain_so_far)) filter (where gain <> 0)', 'any_value(ideal_gain)'
    ) }}
{%- endmacro %}

{% macro signature_of_g() %}
    {{ return({'name': 'G', 'rows': 'ideal', 'cutoff': 'none', 'parameters': {'gains': none}, 'ties': 'unknown'}) }}
{% endmacro %}
