{#-
    Cohen's kappa of two columns of numbers, with quadratic weights (Cohen 1968): one minus the mean squared difference
    over the mean squared difference of all pairs of a value of one column and a value of the other. For yes or no, as 1
    and 0, it is Cohen's kappa without weights (Cohen 1960). Null where all values are the same. Both columns must be
    known in every row.
-#}
{% macro kappa(one, other) -%}
    {{ signed(
            '1 - avg(pow(' ~ one ~ ' - ' ~ other ~ ', 2)) / nullif(round(avg(pow(' ~ one ~ ', 2)) + avg(pow(' ~ other
            ~ ', 2)) - 2 * avg(' ~ one ~ ') * avg(' ~ other ~ '), 12), 0)'
        ) }}
{%- endmacro %}

{#-
    Krippendorff's alpha with the metric of intervals (Krippendorff 2004, section 11.3), which for yes or no is the
    nominal one. The rows are units with two or more values: their number, their sum and the sum of their squares. Null
    where all values are the same.
-#}
{% macro krippendorff_alpha(n, total, squares) -%}
    {#- sums over ordered pairs of values: 2 (n * squares - total * total) -#}
    1 - (sum({{ n }}) - 1)
            * sum(({{ n }} * {{ squares }} - {{ total }} * {{ total }}) / ({{ n }} - 1))
            / nullif(sum({{ n }}) * sum({{ squares }}) - sum({{ total }}) * sum({{ total }}), 0)
{%- endmacro %}

{#- Whether an author of int_authors is a person, as who judged the qrels is unless something else is declared. -#}
{% macro is_person(authors) -%}
    coalesce({{ authors }}.kind = 'person', {{ authors }}.is_reference)
{%- endmacro %}
