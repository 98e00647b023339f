{#- What differs significantly at the level 0.05 (docs/decisions/significance.md). -#}

{#- What is left of an equation and is less is settled: scores are numbers from 0 to 1. -#}
{% macro still_moves() -%}
    1e-12
{%- endmacro %}

{#- Noise might go round in circles. No collection has more runs, each of which takes a step at most. -#}
{% macro most_steps() -%}
    2500
{%- endmacro %}

{#- How far a step of conjugate gradients goes: not at all where all that is left is noise. -#}
{% macro step_length(squares, divisor) -%}
    case when rest_squares > 1e-26 then {{ squares }} / {{ divisor }} else 0 end
{%- endmacro %}

{#-
    A mean square of scores as it is compared: the squares of float noise, where all scores are equal, are of the order
    of 1e-32.
-#}
{% macro comparable_square(mean_square) -%}
    round({{ mean_square }}, 18)
{%- endmacro %}

{#- Points of the seed through which a polynomial goes (docs/decisions/critical_values.md). -#}
{% macro n_nodes() -%}
    6
{%- endmacro %}

{#- What the value at a node weighs in the polynomial through it and the others; an aggregate over the others. -#}
{% macro lagrange_weight(node, other) -%}
    product(({{ node }}.wanted - {{ other }}.known) / ({{ node }}.known - {{ other }}.known))
{%- endmacro %}

{#- The logarithms are what is smooth. -#}
{% macro interpolated(value) -%}
    exp(sum(group_weights.weight * freedom_weights.weight * ln({{ value }})))
{%- endmacro %}

{#- The standard error of the difference of two runs' means, over so many topics each. -#}
{% macro standard_error_of_difference(error_mean_square, n_topics, other_n_topics) -%}
    sqrt({{ error_mean_square }} * (1 / {{ n_topics }} + 1 / {{ other_n_topics }}))
{%- endmacro %}

{#-
    Whether two runs differ, each pair being one of all pairs: by the t-test with Bonferroni's correction, or by
    Tukey's honestly significant difference (Kramer's where they answer unlike numbers of topics). `test` is a row of
    int_layout_tests; `difference` is that of the runs' effects. The t-test of a pair by itself, such as the paired one, is
    the first with the row of int_critical_values for two runs, which make one pair.
-#}
{% macro differs_by_bonferroni(difference, standard_error, test) -%}
    {{ comparable('abs(' ~ difference ~ ')') }}
    > {{ comparable(test ~ '.critical_bonferroni_t * ' ~ standard_error) }}
{%- endmacro %}

{% macro differs_by_tukey(difference, standard_error, test) -%}
    {{ comparable('abs(' ~ difference ~ ')') }}
    > {{ comparable(test ~ '.critical_studentized_range * ' ~ standard_error ~ ' / sqrt(2)') }}
{%- endmacro %}
