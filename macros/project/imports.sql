{#-
    The relations that a model reads, each as a CTE with the name of the relation without its prefix, or with a name of
    the model's own:

        with

        {{ imports('int_rankings', truth='int_topic_scores') }},

    A name with a dot is a source: `imports(estimates='experiments.estimates')`. What several models read of the raw
    schema has a view in staging.

    A table with a rule reads only the rows of what is being built: those of the collections at hand and, where it is
    built run by run, those of the runs at hand (at_hand.sql). A relation of which a model needs other rows has a CTE
    that says which.
-#}
{% macro imports() -%}
    {%- if not execute -%}
        {%- for name in varargs -%}{%- do relation_named(name) -%}{%- endfor -%}
        {%- for name in kwargs.values() -%}{%- do relation_named(name) -%}{%- endfor -%}
    {%- else -%}
        {%- set ctes = [] -%}
        {%- for called, name in imported(varargs, kwargs).items() -%}
            {%- do ctes.append(import(called, name, relation_named(name), model)) -%}
        {%- endfor -%}
        {{ ctes | join(',\n\n') }}
    {%- endif -%}
{%- endmacro %}

{#- A model or seed, or a source as `schema.table`. -#}
{% macro relation_named(name) %}
    {%- if '.' in name -%}
        {{ return(source(name.partition('.')[0], name.partition('.')[2])) }}
    {%- endif -%}
    {{ return(ref(name)) }}
{% endmacro %}

{#- The same for the model `name` as a step (steps.sql): `known` has the CTEs that replace relations, by relation. -#}
{% macro imports_of(name, known) -%}
    {%- set of_model = node_named(name) -%}
    {%- set ctes = [] -%}
    {%- for called, name in imported(varargs, kwargs).items() -%}
        {%- do ctes.append(import(called, name, known[name] or relation_of(name), of_model)) -%}
    {%- endfor -%}
    {{ ctes | join(',\n\n') }}
{%- endmacro %}

{#- The names of relations, by the names of their CTEs. -#}
{% macro imported(names, named) %}
    {%- set found = {} -%}
    {%- for name in names -%}
        {%- set prefix = name.partition('_')[0] -%}
        {%- set has_prefix = prefix in ['stg', 'int', 'fct', 'dim'] -%}
        {%- do found.update({name[4:] if has_prefix else name: name}) -%}
    {%- endfor -%}
    {%- do found.update(named) -%}
    {{ return(found) }}
{% endmacro %}

{% macro import(called, name, source, of_model) -%}
    {%- set rule = rule_of(of_model) -%}
    {#- Within a unit test there is no rule, and no graph: the given rows are those of one collection. -#}
    {%- set filters = filters_at_hand(node_named(name), rule) if rule else [] -%}
    {{ called }} as (

    select * from {{ source }}
    {%- if filters %}
    where
        {{ filters | join('\n        and ') }}
    {%- endif %}

)
{%- endmacro %}
