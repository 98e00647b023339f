{#-
    A measure that is asked for by an argument, when the marts are built already: the notation is
    read by the engine, and every number of it is an expression. Since the argument is written in the
    query, the engine folds these expressions and drops all measures but one before it reads a row.
-#}

{% macro asked_name(measure) -%}
    regexp_extract({{ measure }}, '^[A-Za-z]+')
{%- endmacro %}

{#- The cutoff or recall level; without one, a rank that no ranking reaches. -#}
{% macro asked_cutoff(measure) -%}
    cast(coalesce(nullif(regexp_extract({{ measure }}, '@([0-9.]+)$', 1), ''), '2147483647') as double)
{%- endmacro %}

{#- A parameter; null where it is not written and has no default. -#}
{% macro asked_parameter(measure, parameter, default=none) -%}
    cast(
        coalesce(
            nullif(regexp_extract({{ measure }}, '[(,]{{ parameter }}=([0-9.]+)', 1), ''),
            {{ 'null' if default is none else "'" ~ default ~ "'" }}
        ) as double
    )
{%- endmacro %}

{#- The aggregate of the asked measure, of those that read these rows. -#}
{% macro asked_aggregate(measure, rows) -%}
    case {{ asked_name(measure) }}
        {%- for signature in measure_signatures().values() if signature.rows == rows %}
            {%- set parameters = {} -%}
            {%- for parameter, default in signature.parameters.items() if parameter != 'rel' -%}
                {%- do parameters.update({parameter: asked_parameter(measure, parameter, default)}) -%}
            {%- endfor %}
            when '{{ signature.name }}'
                then cast({{ aggregate(
                    signature.name,
                    none if signature.cutoff == 'none' else asked_cutoff(measure),
                    parameters,
                    'ideal_dcg'
                ) }} as double)
        {%- endfor %}
    end
{%- endmacro %}

{#- Whether the asked measure is one that reads these rows. -#}
{% macro is_asked_of(measure, rows) -%}
    coalesce(
        {{ asked_name(measure) }} in (
            {%- for signature in measure_signatures().values() if signature.rows == rows -%}
                '{{ signature.name }}'{{ ', ' if not loop.last }}
            {%- endfor -%}
        ),
        false
    )
{%- endmacro %}

{#- What is wrong with the notation, for people; null where nothing is. -#}
{% macro problem_with_asked(measure) -%}
    case
        {%- for signature in measure_signatures().values() %}
            when {{ asked_name(measure) }} = '{{ signature.name }}'
                then case
                    when not regexp_full_match({{ measure }}, '{{ measure_pattern(signature) }}')
                        then {{ measure }} || ' is not written as {{ measure_usage(signature) }}'
                end
        {%- endfor %}
        {%- for signature in measure_signatures().values() %}
            when lower({{ asked_name(measure) }}) = '{{ signature.name | lower }}'
                then {{ measure }} || ' is written {{ measure_usage(signature) }}'
        {%- endfor %}
        else coalesce(nullif({{ measure }}, ''), 'an empty name')
            || ' is not a measure that Poolhouse computes'
            || coalesce(': did you mean ' || {{ near_measure(measure) }} || '?', '; it has {{ measure_usages() }}')
    end
{%- endmacro %}

{#-
    The measure that was probably meant by a name that is none: MRR is the mean of RR, or else two letters are wrong
    at most. Null where there is none.
-#}
{% macro near_measure(measure) -%}
    {%- set written = 'upper(' ~ asked_name(measure) ~ ')' -%}
    list_filter(
        list_sort(list_transform(
            {{ measure_signatures() | list }},
            lambda name: {
                'is_other_than_mean': {{ written }} <> 'M' || upper(name),
                'distance': levenshtein({{ written }}, upper(name)),
                'name': name
            }
        )),
        lambda near: near.distance <= {{ most_wrong_letters() }} and near.distance < length(near.name)
    )[1].name
{%- endmacro %}

{#- By more letters than these a name is another one. -#}
{% macro most_wrong_letters() -%}
    2
{%- endmacro %}
