{#- Whether the intervals of estimates hold the true scores. -#}

{#-
    The fewest intervals that tell a coverage: with nine, one interval more or less moves it by eleven points, and
    three give .667.
-#}
{% macro least_intervals() -%}
    10
{%- endmacro %}

{#-
    Columns: the number of runs whose estimate has an interval, and the shares of these runs whose true score is inside,
    which are null with fewer intervals than that. `estimates` has true_score and the columns of intervals.
-#}
{% macro coverage_columns(estimates) -%}
    cast(count({{ estimates }}.ci_95_low) as integer) as n_intervals
    {%- for percent in [68, 95] %},
        case
            when count({{ estimates }}.ci_{{ percent }}_low) >= {{ least_intervals() }}
                then avg(
                    cast(
                        {{ comparable(estimates ~ '.true_score') }}
                        between {{ comparable(estimates ~ '.ci_' ~ percent ~ '_low') }}
                        and {{ comparable(estimates ~ '.ci_' ~ percent ~ '_high') }} as integer
                    )
                )
        end as coverage_{{ percent }}
    {%- endfor %}
{%- endmacro %}
