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
    which are null with fewer intervals than that. `margins` has half the length of the intervals, by per cent.
-#}
{% macro coverage_columns(error, margins) -%}
    cast(count({{ margins[95] }}) as integer) as n_intervals
    {%- for percent, margin in margins.items() %},
        case
            when count({{ margin }}) >= {{ least_intervals() }}
                then avg(cast({{ comparable('abs(' ~ error ~ ')') }} <= {{ comparable(margin) }} as integer))
        end as coverage_{{ percent }}
    {%- endfor %}
{%- endmacro %}
