{#-
    Rank-biased precision (Moffat & Zobel 2008), cut at k and not normalized, as in ir_measures: the
    weight of rank i is (1 - p) p^(i - 1).
-#}
{% macro measure_rbp(cutoff, parameters) -%}
    coalesce(
        sum((1 - {{ parameters.p }}) * pow({{ parameters.p }}, rank - 1))
            filter (where is_relevant {% if cutoff %}and rank <= {{ cutoff }}{% endif %}),
        0
    )
{%- endmacro %}
