{#-
    What a build works on at one time: one collection or, where that is enough, some of its runs; or several small
    collections. The runner sets these variables (loaders/poolhouse/building/runner.py). Where they are not set, as
    in dbt's own builds, every row is selected. They are variables and not subqueries, because the planner then sees
    a constant, and knows that it keeps most rows and not a handful.
-#}
{% macro is_at_hand() -%}
    {{- is_one_of('collection_key', 'collections_at_hand') -}}
{%- endmacro %}

{#- The same condition, for a name of a collection. -#}
{% macro is_named_at_hand() -%}
    {{- is_one_of('collection_id', 'collection_ids_at_hand') -}}
{%- endmacro %}

{#- Whether a list contains the value of a column, folded to `column = value` for a list of one. -#}
{% macro is_one_of(column, variable) -%}
    case
        when getvariable('{{ variable }}') is null then true
        when len(getvariable('{{ variable }}')) = 1 then {{ column }} = getvariable('{{ variable }}')[1]
        else list_contains(getvariable('{{ variable }}'), {{ column }})
    end
{%- endmacro %}

{#- Whether a row belongs to a run that is being built: any run of the collection, or a changed run. -#}
{% macro is_run_at_hand() -%}
    (getvariable('runs_at_hand') is null or list_contains(getvariable('runs_at_hand'), run_key))
{%- endmacro %}

{#-
    Whether a row belongs to a candidate that is being built: any candidate, or one of the portion at hand. A large
    collection has too many pairs of runs for one statement (docs/decisions/plan.md).
-#}
{% macro is_candidate_at_hand() -%}
    (getvariable('candidates_at_hand') is null or list_contains(getvariable('candidates_at_hand'), run_key))
{%- endmacro %}

{#-
    A test of a relation reads only the rows of the collections at hand, where its rows belong to collections; and of a
    table that is built run by run, only the rows of the runs at hand: the others were tested when they were built.
-#}
{% macro get_where_subquery(relation) -%}
    {%- set node = node_named(relation.identifier) if execute -%}
    {%- set filters = filters_at_hand(node, rule_of(node)) if node else [] -%}
    {%- if filters -%}
        (
            select * from {{ relation }}
            where {{ filters | join(' and ') }}
        ) as rows_at_hand
    {%- else -%}
        {{ relation }}
    {%- endif -%}
{%- endmacro %}

{#- The rule of a table, or of a part of one, which is its own or the rule of its folder; none for anything else. -#}
{% macro rule_of(node) %}
    {{ return(node.config.get('meta', {}).get('rule') if node.config.materialized in ['table', 'ephemeral']) }}
{% endmacro %}

{#-
    The conditions of the rows at hand of a model, seed or source, for a table with this rule. A model without described
    columns has rows of collections if its folder has a rule.
-#}
{% macro filters_at_hand(node, rule) %}
    {%- set has_collections = not node.columns and node.config.get('meta', {}).get('rule') -%}
    {%- set columns = ['collection_key'] if has_collections else node.columns.keys() | list -%}
    {%- set filters = [] -%}
    {%- if 'collection_key' in columns -%}
        {%- do filters.append(is_at_hand()) -%}
        {%- if rule == 'by_run' and 'run_key' in columns -%}{%- do filters.append(is_run_at_hand()) -%}{%- endif -%}
    {%- elif 'collection_id' in columns -%}
        {%- do filters.append(is_named_at_hand()) -%}
    {%- endif -%}
    {{ return(filters) }}
{% endmacro %}

{#- The model or seed with this name, which is also the name of its relation, or the source `schema.table`. -#}
{% macro node_named(name) %}
    {{ return(
        graph.nodes.get('model.poolhouse.' ~ name)
        or graph.nodes.get('seed.poolhouse.' ~ name)
        or graph.sources.get('source.poolhouse.' ~ name)
    ) }}
{% endmacro %}
