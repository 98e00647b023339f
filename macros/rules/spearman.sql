{#- Spearman's correlation over the rows of a partition: Pearson's of their places (docs/decisions/generalizability.md). -#}

{#- The place of a value among those of its partition; equal ones share the mean of theirs. -#}
{% macro midrank(value, partition) -%}
    rank() over (partition by {{ partition }} order by {{ comparable(value) }})
    + (count(*) over (partition by {{ partition }}, {{ comparable(value) }}) - 1) / 2
{%- endmacro %}

{#-
    With fewer rows even a perfect correlation is not significant at the level 0.05: of five, it has the chance
    2 / 5! = 0.017, of four 2 / 4! = 0.083.
-#}
{% macro fewest_correlated() -%}
    5
{%- endmacro %}

{#- Null of fewer rows, and where all places are one: the engine says that this is not a number. -#}
{% macro correlation_of_places(place, other_place, partition, n_rows) -%}
    case
        when {{ n_rows }} >= {{ fewest_correlated() }}
            then nullif(
                {{ comparable('corr(' ~ place ~ ', ' ~ other_place ~ ') over (partition by ' ~ partition ~ ')') }},
                cast('nan' as double)
            )
    end
{%- endmacro %}
