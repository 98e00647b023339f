{#-
    Q-measure (Sakai 2007, beta 1) with the grade as gain. At each document with a gain, the numerator is the number
    of documents with a gain so far plus the gain so far. The denominator is the rank plus the gain of the ideal
    ranking at that rank. The sum of these ratios is divided by the number of documents of the topic with a gain.
    Every positive grade counts, whatever the threshold. Where all gains are 1 and nothing is retrieved below rank
    R, it is AP.
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
