{#-
    Rank-biased precision (Moffat & Zobel 2008), cut at k and not normalized. The weight of rank i is (1 - p) p^(i -
    1).
-#}
{% macro measure_rbp(m) -%}
    coalesce(sum({{ rbp_weight(m.parameters.p) }}) filter (where {{ m.is_relevant }} and {{ m.within }}), 0)
{%- endmacro %}

{% macro signature_of_rbp() %}
    {{ return({'name': 'RBP', 'rows': 'gains', 'cutoff': 'allowed', 'parameters': {'p': 0.8, 'rel': none}}) }}
{% endmacro %}

{#- The weight of a rank; p is the probability that the reader looks at the next one. -#}
{% macro rbp_weight(p, rank='rank') -%}
    (1 - {{ p }}) * pow({{ p }}, {{ rank }} - 1)
{%- endmacro %}
