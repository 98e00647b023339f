{#-
    The relations that a model reads, each as a CTE with the name of the relation without its prefix, or with a name of
    the model's own:

        with

        {{ imports('int_rankings', truth='int_topic_scores') }},

    A name with a dot is a source: `imports(estimates='experiments.estimates')`. What several models read of the raw
    schema has a view in staging.

    A name may have a short condition: `imports('int_collections where is_judged')`. A table with a rule reads only the
    rows of what is being built: those of the collections at hand and, where it is built run by run, those of the runs
    at hand (at_hand.sql). A relation of which a model needs other rows has a CTE that says which.
-#}
{% macro imports() -%}
    {%- if not execute -%}
        {%- for each in imported(varargs, kwargs) -%}{%- do relation_named(each.name) -%}{%- endfor -%}
    {%- else -%}
        {%- set ctes = [] -%}
        {%- for each in imported(varargs, kwargs) -%}
            {%- do ctes.append(import(each, relation_named(each.name), model)) -%}
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
    {%- for each in imported(varargs, kwargs) -%}
        {%- do ctes.append(import(each, known[each.name] or relation_of(each.name), of_model)) -%}
    {%- endfor -%}
    {{ ctes | join(',\n\n') }}
{%- endmacro %}

{#- What is imported: the name of each relation, the condition on its rows if it has one, and the name of its CTE. -#}
{% macro imported(given, named) %}
    {%- set found = [] -%}
    {%- for what in given -%}
        {%- set name, _, condition = what.partition(' where ') -%}
        {%- set has_prefix = name.partition('_')[0] in ['stg', 'int', 'fct', 'dim'] -%}
        {%- do found.append({'name': name, 'condition': condition, 'called': name[4:] if has_prefix else name}) -%}
    {%- endfor -%}
    {%- for called, what in named.items() -%}
        {%- set name, _, condition = what.partition(' where ') -%}
        {%- do found.append({'name': name, 'condition': condition, 'called': called}) -%}
    {%- endfor -%}
    {{ return(found) }}
{% endmacro %}

{% macro import(each, source, of_model) -%}
    {#- A table macro is no part of a build: its steps read the rows of its arguments. -#}
    {%- set rule = rule_of(of_model) if rule_of(model) else none -%}
    {#- Within a unit test there is no rule, and no graph: the given rows are those of one collection. -#}
    {%- set filters = filters_at_hand(node_named(each.name), rule) if rule else [] -%}
    {%- do filters.append(each.condition) if each.condition -%}
    {#- A table that is read twice is not copied first: a copy would have all of its columns and rows. -#}
    {%- set is_table = rule and (node_named(each.name) or {}).get('config', {}).get('materialized') == 'table' -%}
    {{ each.called }} as {{ 'not materialized ' if is_table }}(

    select * from {{ source }}
    {%- if filters %}
    where
        {{ filters | join('\n        and ') }}
    {%- endif %}

)
{%- endmacro %}
