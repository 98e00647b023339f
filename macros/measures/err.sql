{#-
    Expected reciprocal rank (Chapelle et al. 2009) as in TREC's gdeval. A document of grade g satisfies the reader
    with probability (2^g - 1) / 2^4, whatever the highest grade of the collection, and the reader stops at the
    first document that satisfies. Every positive grade counts, whatever the threshold.
-#}
{% macro measure_err(m) -%}
    coalesce(
        sum(p_unsatisfied * {{ err_satisfaction('grade') }} / rank) filter (where grade > 0 and {{ m.within }}), 0
    )
{%- endmacro %}

{% macro signature_of_err() %}
    {{ return({'name': 'ERR', 'rows': 'gains', 'cutoff': 'allowed', 'parameters': {}}) }}
{% endmacro %}

{#-
    Probability that a document of this grade satisfies. A grade above gdeval's highest counts as gdeval's highest.
-#}
{% macro err_satisfaction(grade) -%}
    (pow(2, least(greatest({{ grade }}, 0), 4)) - 1) / 16
{%- endmacro %}
