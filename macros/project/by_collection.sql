{#-
    Materializations of tables whose rows belong to collections; only collections that changed are
    touched (docs/decisions/by_collection.md). Where nothing but runs changed, they differ:

    by_collection    made anew all the same
    by_run           the rows of the changed runs are made anew (`is_run_at_hand`)
    by_pool          stays as it is: its rows depend on the pool or the qrels, and on nothing else
    pool_definition  made anew; where that changes it, everything after it is made anew as well
    numbering        ids keep their numbers, in `meta: {id, key}`; ids come and go
-#}
{% materialization by_collection, adapter='duckdb' %}
    {{ return(make_by_collection('collection')) }}
{% endmaterialization %}

{% materialization by_run, adapter='duckdb' %}
    {{ return(make_by_collection('run')) }}
{% endmaterialization %}

{% materialization by_pool, adapter='duckdb' %}
    {{ return(make_by_collection('pool')) }}
{% endmaterialization %}

{% materialization pool_definition, adapter='duckdb' %}
    {{ return(make_by_collection('pool_definition')) }}
{% endmaterialization %}

{% materialization numbering, adapter='duckdb' %}
    {{ return(make_by_collection('numbering')) }}
{% endmaterialization %}

{#-
    One changed collection after the other, so that memory is bounded by the largest and not by the
    archive: its rows, or those of the kinds above that are out of date, are deleted, and the model is
    run and appended. The model selects the rows at hand (`is_at_hand`, `is_run_at_hand`).

    dbt's own delete+insert deletes only keys that are among the new rows, so that a removed
    collection would keep its old ones; and it writes every row twice, through a temporary table.
-#}
{% macro make_by_collection(kind) %}
    {%- set existing = load_cached_relation(this) -%}
    {%- set is_kept = existing is not none and existing.is_table and not should_full_refresh() -%}
    {%- set target_relation = this.incorporate(type='table') -%}
    {%- set table = target_relation.include(database=false) -%}

    {{ run_hooks(pre_hooks, inside_transaction=false) }}
    {{ run_hooks(pre_hooks, inside_transaction=true) }}

    {% if not is_kept %}
        {% if existing is not none %}
            {{ adapter.drop_relation(existing) }}
        {% endif %}
        {% call statement('create') %}
            create table {{ table }} as select * from ({{ sql }}) limit 0
        {% endcall %}
        {% do persist_docs(target_relation, model) %}
    {% endif %}

    {% for collection in changed_collections() %}
        {% call statement('choose') %}
            set variable collection_at_hand = {{ collection.key }};
            set variable runs_at_hand = (
                select changed_runs from {{ source('ops', 'changed_collections') }} where {{ is_at_hand() }}
            )
        {% endcall %}
        {% if not collection.is_by_run %}
            {{ replace_rows(table, is_at_hand()) }}
        {% elif kind == 'run' %}
            {{ replace_rows(table, is_at_hand() ~ ' and ' ~ is_run_at_hand()) }}
        {% elif kind == 'numbering' %}
            {{ renew_numbering(table, config.require('meta'), collection.are_runs_new) }}
        {% elif kind == 'pool_definition' %}
            {{ make_all_anew_where_changed(table) }}
            {{ replace_rows(table, is_at_hand()) }}
        {% elif kind == 'collection' %}
            {{ replace_rows(table, is_at_hand()) }}
        {% endif %}
    {% endfor %}

    {% call statement('main') %}
        reset variable collection_at_hand;
        reset variable runs_at_hand
    {% endcall %}

    {{ run_hooks(post_hooks, inside_transaction=true) }}
    {{ adapter.commit() }}
    {{ run_hooks(post_hooks, inside_transaction=false) }}

    {{ return({'relations': [target_relation]}) }}
{% endmacro %}

{% macro replace_rows(table, condition) %}
    {% call statement('forget') %}
        delete from {{ table }} where {{ condition }}
    {% endcall %}
    {% call statement('append') %}
        insert into {{ table }} by name {{ sql }}
    {% endcall %}
{% endmacro %}

{#-
    Number the ids of the changed runs that are new, after the others, and forget those that are gone.
    To know the latter takes all lines of the collection: only where lines went.
-#}
{% macro renew_numbering(table, columns, are_runs_new) %}
    {% call statement('append') %}
        insert into {{ table }} by name
        with
        numbered as (select {{ columns.id }}, {{ columns.key }} from {{ table }} where {{ is_at_hand() }})
        select
            * replace (
                cast(
                    (select max({{ columns.key }}) from numbered)
                    + row_number() over (order by {{ columns.key }}) as integer
                ) as {{ columns.key }}
            )
        from ({{ sql }})
        where {{ columns.id }} not in (select {{ columns.id }} from numbered)
    {% endcall %}
    {% if not are_runs_new %}
        {% call statement('forget') %}
            set variable runs_at_hand = null;
            delete from {{ table }}
            where
                {{ is_at_hand() }}
                and {{ columns.id }} not in (select {{ columns.id }} from ({{ sql }}))
        {% endcall %}
    {% endif %}
{% endmacro %}

{#- Where the rows that the model makes are not those that are there: it was not runs alone. -#}
{% macro make_all_anew_where_changed(table) %}
    {% call statement('compare') %}
        update {{ source('ops', 'changed_collections') }}
        set changed_runs = null, are_runs_new = null
        where
            {{ is_at_hand() }}
            and exists (
                select 1
                from (
                    (from ({{ sql }}) except from {{ table }} where {{ is_at_hand() }})
                    union all
                    (from {{ table }} where {{ is_at_hand() }} except from ({{ sql }}))
                )
            )
    {% endcall %}
{% endmacro %}

{#-
    Whether a row belongs to the collection that is being built. A variable and not a subquery: the
    planner sees a constant, and knows that it keeps most rows and not a handful.
-#}
{% macro is_at_hand() -%}
    collection_key = getvariable('collection_at_hand')
{%- endmacro %}

{#- Whether a row belongs to a run that is being built: all of the collection, or the changed ones. -#}
{% macro is_run_at_hand() -%}
    (getvariable('runs_at_hand') is null or list_contains(getvariable('runs_at_hand'), run_key))
{%- endmacro %}

{#- Collections that this build makes anew or removes: {key, is_by_run, are_runs_new}. -#}
{% macro changed_collections() %}
    {%- set changed = run_query(
        'select collection_key, changed_runs is not null, are_runs_new from '
        ~ source('ops', 'changed_collections') ~ ' order by collection_key'
    ) -%}
    {%- set collections = [] -%}
    {%- for row in changed.rows -%}
        {%- do collections.append({'key': row[0] | int, 'is_by_run': row[1], 'are_runs_new': row[2]}) -%}
    {%- endfor -%}
    {{ return(collections) }}
{% endmacro %}
