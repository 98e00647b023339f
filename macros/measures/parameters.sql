{#-
    The kinds of values that parameters of measures have: the values as a regular expression (notation.sql), their
    type in the engine, and `shown`, which stands for a value in messages where there is no default value.
-#}
{% macro parameter_kind(parameter) %}
    {%- set number = '(0|[1-9][0-9]*)([.][0-9]+)?' -%}
    {%- set grade = {'pattern': '[1-9][0-9]*', 'type': 'double'} -%}
    {%- set count = {'pattern': '(0|[1-9][0-9]*)', 'type': 'double', 'shown': 'n'} -%}
    {%- set above_zero = '(0[.][0-9]*[1-9][0-9]*|[1-9][0-9]*([.][0-9]+)?)' -%}
    {%- set signed = {'pattern': '-?' ~ number, 'type': 'double', 'shown': 'x'} -%}
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
        'judged_only': truth,
        'normalize': truth,
    }[parameter]) }}
{% endmacro %}
