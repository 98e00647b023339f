{#-
    A mean score as it is compared: sums of floats in another order differ in the last digits, and
    would otherwise decide which of two equal scores is the higher one.
-#}
{% macro comparable(score) -%}
    round({{ score }}, 9)
{%- endmacro %}

{#-
    A quantity whose sign matters, without that noise. Products of rates get smaller than scores do:
    with 250 topics and 110 runs the smallest bracket of lambda at cutoff 100 is 1.5e-11.
-#}
{% macro signed(quantity) -%}
    {{ unsigned_zero('round(' ~ quantity ~ ', 12)') }}
{%- endmacro %}

{#- The same number, but 0 for the -0.0 that is left of a negative one, rounded or times 0. -#}
{% macro unsigned_zero(quantity) -%}
    ({{ quantity }} + 0)
{%- endmacro %}

{#- A sum of weights that somebody reads: three fifths, added up, are 0.6000000000000001. -#}
{% macro sum_of_weights(weight, condition) -%}
    round(sum({{ weight }}) filter (where {{ condition }}), 12)
{%- endmacro %}
