{#-
    nDCG averaged over the documents with a positive gain (ndcg_rel of trec_eval): at the rank of each one that is
    retrieved, and at the end of the ranking for each other one. Negative where gains are; then it is 0.
-#}
{% macro measure_ndcgrel(m) -%}
    {%- set n_missing = '(any_value(n_gainful) - count(*) filter (where gain > 0))' -%}
    {%- set at_end = over_total('sum(' ~ discounted_gain('rank', 'gain') ~ ')', m.ideal_dcg) -%}
    greatest({{ over_total(
        '(coalesce(sum(discounted_gain_so_far / ideal_discounted_gain_so_far) filter (where gain > 0), 0) + '
            ~ n_missing ~ ' * ' ~ at_end ~ ')',
        'any_value(n_gainful)'
    ) }}, 0)
{%- endmacro %}

{% macro signature_of_ndcgrel() %}
    {{ return({
        'name': 'nDCGRel',
        'rows': 'ideal',
        'cutoff': 'none',
        'parameters': {'gains': none},
        'ties': 'unknown',
    }) }}
{% endmacro %}
