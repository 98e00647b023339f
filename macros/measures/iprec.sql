{#-
    Interpolated precision at a recall level: the highest precision at a rank where at least that share of the
    relevant documents is found (recall_documents.sql).
-#}
{% macro measure_iprec(m) -%}
    {{ interpolated_precision(
        m.nth_relevant, m.is_relevant, recall_documents(m.cutoff, m.n_relevant_column)
    ) }}
{%- endmacro %}

{#-
    The highest precision at a rank where at least `n_needed` relevant documents are found. Where none is needed, it
    is the highest precision at any rank.
-#}
{% macro interpolated_precision(nth_relevant, is_relevant, n_needed) -%}
    coalesce(
        max({{ nth_relevant }} / rank) filter (where {{ is_relevant }} and {{ nth_relevant }} >= {{ n_needed }}), 0
    )
{%- endmacro %}

{% macro signature_of_iprec() %}
    {{ return({
        'name': 'IPrec',
        'rows': 'gains',
        'cutoff': 'recall',
        'parameters': {'rel': none, 'judged_only': 'false'},
    }) }}
{% endmacro %}
