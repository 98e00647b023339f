{#-
    Normalized discounted cumulative gain with the grade as gain and the logarithm of rank + 1 as discount, as in
    trec_eval. Every positive grade counts, whatever the relevance threshold. The gains of an ideal ranking, added
    up in another order, may give a little more than 1.
-#}
{% macro measure_ndcg(m) -%}
    least({{ over_total(measure_dcg(m), m.ideal_dcg) }}, 1)
{%- endmacro %}

{% macro signature_of_ndcg() %}
    {{ return({
        'name': 'nDCG',
        'rows': 'gains',
        'cutoff': 'allowed',
        'parameters': {'dcg': 'log2', 'gains': none, 'judged_only': 'false'},
    }) }}
{% endmacro %}

{#- The discounted gain of a document of this grade at this rank. -#}
{% macro discounted_gain(rank, grade) -%}
    {{ grade }} / log2({{ rank }} + 1)
{%- endmacro %}

{#- The column of a grid that holds the discounted gain of the ideal ranking down to the cutoff. -#}
{% macro ideal_dcg_column(cutoff=none) -%}
    ideal_dcg{{ '_' ~ cutoff if cutoff }}
{%- endmacro %}
