{#-
    Rank-biased precision with grades as gains, as rbp of trec_eval 10 means it: where the highest grade of the topic
    is above 1, the grades are divided by it.
-#}
{% macro measure_gradedrbp(m) -%}
    coalesce(
        sum({{ rbp_weight(m.parameters.p) }} * grade / greatest(highest_grade, 1))
            filter (where grade > 0 and {{ m.within }}),
        0
    )
{%- endmacro %}

{% macro signature_of_gradedrbp() %}
    {{ return({'name': 'GradedRBP', 'rows': 'gains', 'cutoff': 'allowed', 'parameters': {'p': 0.9}}) }}
{% endmacro %}
