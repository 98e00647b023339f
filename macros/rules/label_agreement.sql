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

{#- The same kappa of relevance, from counts: of pairs, of relevant ones by either author, and of relevant ones by both. -#}
{% macro kappa_of_counts() -%}
    {{ signed(
            '1 - (n_relevant + n_relevant_by_other - 2 * n_relevant_by_both) / n_pairs / nullif(round((n_relevant + '
            ~ 'n_relevant_by_other) / n_pairs - 2 * n_relevant / n_pairs * n_relevant_by_other / n_pairs, 12), 0)'
        ) }}
{%- endmacro %}

{#- The runs at the top of a leaderboard that have a Kendall's tau of their own. -#}
{% macro n_best_runs() -%}
    10
{%- endmacro %}

{#- The fewest labels in common of which one author may be a copy of another. -#}
{% macro least_labels_of_a_copy() -%}
    100
{%- endmacro %}

{#- What the labels of an author may be used for, from the outcomes of its rules, one row per rule. -#}
{% macro author_verdict() -%}
    case
            when bool_or(outcome = 'fails' and asks_about = 'use') then 'may not be used'
            when bool_or(outcome is null and asks_about = 'order') then 'cannot be told'
            when bool_or(outcome = 'fails' and asks_about = 'order')
                then
                    case
                        when bool_or(coalesce(outcome, 'fails') <> 'fails' and asks_about = 'holes')
                            then 'may only fill holes, rectified'
                        else 'may not be used'
                    end
            when bool_or(coalesce(outcome, 'fails') = 'fails' and asks_about = 'best')
                then 'may order systems, and may not tell the best ten apart'
            else 'may order systems'
        end
        || case
            when bool_or(outcome = 'fails' and asks_about in ('use', 'order')) then ''
            when bool_or(coalesce(outcome, 'fails') <> 'fails' and asks_about = 'holes') then '; may fill holes, rectified'
            else ''
        end
{%- endmacro %}
