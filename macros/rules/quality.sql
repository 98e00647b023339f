{#-
    Figures of the quality of a collection, as rows of fct_quality_figures: aggregates of what a model looks at, grouped by
    collection. `figures` makes one row of each entry of the lists that the other macros write.
-#}
{% macro figures() -%}
    unnest(
        flatten([
            {{ varargs | join(',\n            ') }}
        ]),
        recursive := true
    )
{%- endmacro %}

{#-
    How many rows are not as the figure's name says. Where the condition is null, there is nothing to look at. `naming`
    has the columns that name an unexpected row, `seen` the numbers that are seen there; JSON has no infinite ones.
    `has_share` where a few unexpected rows are tolerated.
-#}
{% macro counted(figure, is_expected, naming, seen=[], has_share=false) -%}
    [{
        'figure': '{{ figure }}',
        'object': null::varchar,
        'n_values': count({{ is_expected }}),
        'n_unexpected': cast(case when count({{ is_expected }}) > 0 then count_if(not ({{ is_expected }})) end as bigint),
        'value': {{ 'avg(cast(' ~ is_expected ~ ' as integer))' if has_share else 'null::double' }},
        'sample': coalesce(
            cast(to_json(min({{ named(naming, seen) }}, 5) filter (where not ({{ is_expected }}))) as varchar), '[]'
        )
    }]
{%- endmacro %}

{#- The same for a condition that must hold: null does not. `of` says which rows are looked at. -#}
{% macro promised(figure, condition, naming, seen=[], of='true') -%}
    {{ counted(figure, 'case when ' ~ of ~ ' then coalesce(' ~ condition ~ ', false) end', naming, seen) }}
{%- endmacro %}

{#- The values of a column: of each object, which `naming` names, or of the collection, which has one row. -#}
{% macro values_of(column, object='null', naming=[]) -%}
    list({
        'figure': '{{ column }}',
        'object': cast({{ object }} as varchar),
        'n_values': 1::bigint,
        'n_unexpected': null::bigint,
        'value': cast({{ column }} as double),
        'sample': {{ 'cast(to_json([' ~ named(naming, [column]) ~ ']) as varchar)' if naming else "'[]'" }}
    }) filter (where {{ column }} is not null)
{%- endmacro %}

{% macro named(naming, seen) -%}
    {
        {%- for column in naming %}'{{ column }}': {{ column }}{{ ', ' if not loop.last or seen }}{% endfor -%}
        {%- for column in seen %}'{{ column }}': case when isfinite({{ column }}) then {{ column }} end
        {{- ', ' if not loop.last }}{% endfor -%}
    }
{%- endmacro %}

{#- Sums of floats differ in the last digits with the order of the terms. -#}
{% macro float_noise() -%}
    1e-9
{%- endmacro %}

{#- Whether a number lies within its bounds. -#}
{% macro is_within(lowest, number, highest) -%}
    {{ number }} between {{ lowest }} - {{ float_noise() }} and {{ highest }} + {{ float_noise() }}
{%- endmacro %}

{#- Larger than every number that is counted or divided here. The engine sorts infinity and NaN above it. -#}
{% macro highest_number() -%}
    1e18
{%- endmacro %}

{#- An id is never empty, and holds no white space but blanks: ids of CSV and JSON may be texts of queries. -#}
{% macro is_word(field) -%}
    (trim({{ field }}) <> '' and not regexp_matches({{ field }}, '[\t\v\f\r\n]'))
{%- endmacro %}
