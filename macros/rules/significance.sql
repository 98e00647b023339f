{#- What differs significantly at the level 0.05 (docs/decisions/significance.md). -#}

{#- A remainder of an equation that is smaller than this counts as 0; scores are numbers from 0 to 1. -#}
{% macro still_moves() -%}
    1e-12
{%- endmacro %}

{#-
    The limit of steps, because float noise might prevent an end. Each run needs at most one step, and no collection
    has more runs.
-#}
{% macro most_steps() -%}
    2500
{%- endmacro %}

{#- The length of a step of conjugate gradients, which is 0 where only noise remains. -#}
{% macro step_length(squares, divisor) -%}
    case when rest_squares > 1e-26 then {{ squares }} / {{ divisor }} else 0 end
{%- endmacro %}

{#-
    A mean square of scores, rounded for comparisons. Where all scores are equal, the squares of float noise are of
    the order of 1e-32.
-#}
{% macro comparable_square(mean_square) -%}
    round({{ mean_square }}, 18)
{%- endmacro %}

{#- Number of points of the seed that a polynomial goes through (docs/decisions/critical_values.md). -#}
{% macro n_nodes() -%}
    6
{%- endmacro %}

{#-
    The weight of the value at a node in the polynomial through this node and the others; an aggregate over the
    others.
-#}
{% macro lagrange_weight(node, other) -%}
    product(({{ node }}.wanted - {{ other }}.known) / ({{ node }}.known - {{ other }}.known))
{%- endmacro %}

{#- The polynomial interpolates logarithms, because they are smooth. -#}
{% macro interpolated(value) -%}
    exp(sum(group_weights.weight * freedom_weights.weight * ln({{ value }})))
{%- endmacro %}

{#- The standard error of the difference of the means of two runs, over the given numbers of topics. -#}
{% macro standard_error_of_difference(error_mean_square, n_topics, other_n_topics) -%}
    sqrt({{ error_mean_square }} * (1 / {{ n_topics }} + 1 / {{ other_n_topics }}))
{%- endmacro %}

{#-
    Whether two runs differ, where each pair is one of all pairs: by the t-test with Bonferroni's correction, or by
    Tukey's honestly significant difference (Kramer's variant where they answer different numbers of topics). `test`
    is a row of int_layout_tests, and `difference` is the difference of the effects of the runs. The t-test of a
    single pair, such as the paired t-test, is the first test with the row of int_critical_values for two runs,
    which are one pair.
-#}
{% macro differs_by_bonferroni(difference, standard_error, test) -%}
    {{ comparable('abs(' ~ difference ~ ')') }}
    > {{ comparable(test ~ '.critical_bonferroni_t * ' ~ standard_error) }}
{%- endmacro %}

{% macro differs_by_tukey(difference, standard_error, test) -%}
    {{ comparable('abs(' ~ difference ~ ')') }}
    > {{ comparable(test ~ '.critical_studentized_range * ' ~ standard_error ~ ' / sqrt(2)') }}
{%- endmacro %}
