{#-
    Whether the ranks of a file contradict its scores on a topic, by their correlation. Rounded scores and repeated
    documents move ranks a little: of the 310 runs of TREC-2, TREC-8 and TREC-COVID round 1, 16 have a mean below .99.
    Scores that are distances have -1, and two lists of equal length, one behind the other, have .5.
-#}
{% macro ranks_contradict_scores(correlation) -%}
    {{ correlation }} < 0.8
{%- endmacro %}
