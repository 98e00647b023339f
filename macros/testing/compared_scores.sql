{#-
    The CTE `compared` for wrong_cases, with one row per case and measure, and the CTEs before it. They read
    `rankings`, with case_name and the columns that the measures read, and `expected_scores`, with case_name and one
    column per measure.
-#}
{% macro compared_scores(measure_ids) -%}
measured as (

    select
        case_name,
        {{ measure_columns(measure_ids) }}
    from rankings
    group by case_name

),

scores as (

    {{ unpivot_measures('measured', measure_ids) }}

),

expected as (

    {{ unpivot_measures('expected_scores', measure_ids) }}

),

compared as (

    select
        coalesce(scores.case_name, expected.case_name)
        || ': '
        || coalesce(scores.measure, expected.measure) as case_name,
        scores.score as actual,
        expected.score as expected
    from scores
    full join expected
        on
            scores.case_name = expected.case_name
            and scores.measure = expected.measure

)
{%- endmacro %}

{#- The names of measures as a list of columns. -#}
{% macro measure_names(measure_ids) -%}
    "{{ measure_ids | join('", "') }}"
{%- endmacro %}
