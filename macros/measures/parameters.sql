{#-
    The kinds of values that parameters of measures have: the values as a regular expression (notation.sql), their
    type in the engine, and `shown`, which stands for a value in messages where there is no default value.
-#}
{% macro parameter_kind(parameter) %}
    {%- set number = '(0|[1-9][0-9]*)([.][0-9]+)?' -%}
    {%- set grade = {'pattern': '[1-9][0-9]*', 'type': 'double'} -%}
    {%- set count = {'pattern': '(0|[1-9][0-9]*)', 'type': 'double', 'shown': 'n'} -%}
    {%- set signed = {'pattern': '-?' ~ number, 'type': 'double', 'shown': 'x'} -%}
    {%- set truth = {'pattern': '(true|false)', 'type': 'boolean'} -%}
    {{ return({
        'rel': grade,
        'min_rel': {'pattern': '-?(0|[1-9][0-9]*)', 'type': 'double'},
        'max_rel': grade,
        'p': {'pattern': '0[.][0-9]+', 'type': 'double'},
        'beta': {'pattern': number, 'type': 'double'},
        'T': signed,
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
