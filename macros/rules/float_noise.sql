{#-
    A mean score, rounded for comparisons. Sums of floats in another order differ in the last digits, which would
    otherwise decide which of two equal scores is higher.
-#}
{% macro comparable(score) -%}
    round({{ score }}, 9)
{%- endmacro %}

{#-
    A quantity whose sign matters, without float noise. Products of rates are smaller than scores: with 250 topics
    and 110 runs, the smallest bracket of lambda at cutoff 100 is 1.5e-11.
-#}
{% macro signed(quantity) -%}
    {{ unsigned_zero('round(' ~ quantity ~ ', 12)') }}
{%- endmacro %}

{#-
    The same number, but 0 instead of the -0.0 that results from a negative number that is rounded or multiplied by
    0.
-#}
{% macro unsigned_zero(quantity) -%}
    ({{ quantity }} + 0)
{%- endmacro %}

{#- A sum of weights for display. Without rounding, three fifths add up to 0.6000000000000001. -#}
{% macro sum_of_weights(weight, condition) -%}
    round(sum({{ weight }}) filter (where {{ condition }}), 12)
{%- endmacro %}
