{#-
    The score of a run from those of its topics, for the topics on which `condition` holds; null
    where there is none. `aggregation` is the column that says how the measure is summed up (seed
    measures).
-#}
{% macro over_topics(score, aggregation, condition) -%}
    case any_value({{ aggregation }})
        when 'sum' then sum({{ score }}) filter (where {{ condition }})
        -- no less than the lowest of them, which the exponential of a logarithm may be
        when 'geometric_mean'
            then greatest(
                exp(
                    avg(case {{ aggregation }} when 'geometric_mean' then ln({{ score }}) end)
                        filter (where {{ condition }})
                ),
                min({{ score }}) filter (where {{ condition }})
            )
        else avg({{ score }}) filter (where {{ condition }})
    end
{%- endmacro %}
