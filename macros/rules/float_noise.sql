{#-
    A mean score as it is compared: sums of floats in another order differ in the last digits, and
    would otherwise decide which of two equal scores is the higher one.
-#}
{% macro comparable(score) -%}
    round({{ score }}, 9)
{%- endmacro %}

{#- A quantity whose sign matters, without that noise; products of rates get smaller than scores. -#}
{% macro signed(quantity) -%}
    round({{ quantity }}, 12)
{%- endmacro %}
