{#-
    The kinds of values that parameters of measures have: the values as a regular expression (notation.sql), their
    type in the engine, and `shown`, which stands for a value in messages where there is no default value. A kind that
    is `on_demand` changes the rows that are aggregated, which only the score engine of a requested measure does.
-#}
{% macro parameter_kinds() %}
    {%- set number = '(0|[1-9][0-9]*)([.][0-9]+)?' -%}
    {#- Nine digits fit into an integer. -#}
    {%- set grade = {'pattern': '[1-9][0-9]{0,8}', 'type': 'double'} -%}
    {%- set count = {'pattern': '(0|[1-9][0-9]*)', 'type': 'double', 'shown': 'n'} -%}
    {%- set above_zero = '(0[.][0-9]*[1-9][0-9]*|[1-9][0-9]*([.][0-9]+)?)' -%}
    {%- set signed = {'pattern': '-?' ~ number, 'type': 'double', 'shown': 'x'} -%}
    {%- set gain = '(0|[1-9][0-9]*):' ~ signed.pattern -%}
    {%- set truth = {'pattern': '(true|false)', 'type': 'boolean'} -%}
    {{ return({
        'rel': grade,
        'min_rel': dict(count, shown='l'),
        'max_rel': dict(grade, shown='h'),
        'p': {'pattern': '0[.][0-9]+', 'type': 'double'},
        'beta': {'pattern': number, 'type': 'double'},
        'T': {'pattern': above_zero, 'type': 'double'},
        'p1': signed,
        'p2': signed,
        'p3': signed,
        'p4': signed,
        'n': count,
        'relative': truth,
        'judged_only': dict(truth, on_demand=true),
        'dcg': {'pattern': '(log2|exp-log2)', 'type': 'varchar', 'on_demand': true},
        'gains': {
            'pattern': '[{]' ~ gain ~ '(,' ~ gain ~ ')*[}]',
            'type': 'map(bigint, double)',
            'shown': '{l:g}',
            'on_demand': true,
        },
        'normalize': truth,
    }) }}
{% endmacro %}

{% macro parameter_kind(parameter) %}
    {{ return(parameter_kinds()[parameter]) }}
{% endmacro %}

{#- The parameters that change the rows that are aggregated. -#}
{% macro parameters_on_demand() %}
    {%- set parameters = [] -%}
    {%- for parameter, kind in parameter_kinds().items() if kind.on_demand -%}
        {%- do parameters.append(parameter) -%}
    {%- endfor -%}
    {{ return(parameters) }}
{% endmacro %}

{#- Whether the requested measure is one that no mart can have: by its parameters, or by the rows that it reads. -#}
{% macro is_on_demand(measure) -%}
    (
        {{ is_asked_of(measure, 'ideal') }}
        or regexp_matches({{ measure }}, '[(,]({{ parameters_on_demand() | join('|') }})=')
    )
{%- endmacro %}
