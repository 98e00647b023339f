{#-
    Spearman's correlation over the rows of a partition, which is Pearson's correlation of the ranks
    (docs/decisions/generalizability.md).
-#}

{#- The rank of a value among the values of its partition; equal values share the mean of their ranks. -#}
{% macro midrank(value, partition) -%}
    rank() over (partition by {{ partition }} order by {{ comparable(value) }})
    + (count(*) over (partition by {{ partition }}, {{ comparable(value) }}) - 1) / 2
{%- endmacro %}

{#-
    With fewer rows even a perfect correlation is not significant at the level 0.05. With five rows its probability
    is 2 / 5! = 0.017, and with four 2 / 4! = 0.083.
-#}
{% macro fewest_correlated() -%}
    5
{%- endmacro %}

{#- Null for fewer rows, and where all ranks are equal, for which the engine returns "not a number". -#}
{% macro correlation_of_places(place, other_place, partition, n_rows) -%}
    case
        when {{ n_rows }} >= {{ fewest_correlated() }}
            then nullif(
                {{ comparable('corr(' ~ place ~ ', ' ~ other_place ~ ') over (partition by ' ~ partition ~ ')') }},
                cast('nan' as double)
            )
    end
{%- endmacro %}
