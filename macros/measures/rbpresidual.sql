{#-
    Residual of rank-biased precision (Moffat & Zobel 2008, 3.4): the weight of the ranks whose
    document is unjudged or missing, down to k. RBP is at least the score, and at most the score plus
    this. Without a cutoff the ranks below the last document count as well.
-#}
{% macro measure_rbpresidual(m) -%}
    {%- set total = '(1 - pow(' ~ m.parameters.p ~ ', ' ~ m.cutoff ~ '))' if m.cutoff else '1' -%}
    {{ total }} - coalesce(sum({{ rbp_weight(m.parameters.p) }}) filter (where {{ m.is_relevant }} is not null and {{ m.within }}), 0)
{%- endmacro %}

{% macro signature_of_rbpresidual() %}
    {{ return({'name': 'RBPResidual', 'rows': 'judged', 'cutoff': 'allowed', 'parameters': {'p': 0.8}}) }}
{% endmacro %}
