{#-
    Q-measure (Sakai 2007, beta 1) with the grade as gain: at each document with a gain, documents
    with a gain so far plus the gain so far, over the rank plus the gain that the ideal ranking has
    there; divided by the topic's documents with a gain. Every positive grade counts, whatever
    the threshold. Where all gains are 1 and nothing is retrieved below rank R, it is AP.
-#}
{% macro measure_q(m) -%}
    {{ over_total(
        'sum((nth_gainful + gain_so_far) / (rank + ideal_gain_so_far)) filter (where grade > 0)',
        'any_value(n_gainful)'
    ) }}
{%- endmacro %}

{% macro signature_of_q() %}
    {{ return({'name': 'Q', 'rows': 'gains', 'cutoff': 'none', 'parameters': {}}) }}
{% endmacro %}
