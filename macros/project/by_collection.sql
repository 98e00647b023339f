{#-
    Materialization `by_collection`: a table whose rows belong to collections and are rebuilt by
    collection. The rows of every changed collection are deleted; then the model is run and appended
    once for each, so that memory is bounded by the largest collection and not by the archive. The
    model selects the rows of the collection at hand (`is_at_hand`).

    dbt's own delete+insert deletes only keys that are among the new rows, so that a removed
    collection would keep its old ones; and it writes every row twice, through a temporary table.
-#}
{% materialization by_collection, adapter='duckdb' %}
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
    {% endif %}

    {% for collection_key in changed_collection_keys() %}
        {% call statement('choose') %}
            set variable collection_at_hand = {{ collection_key }}
        {% endcall %}
        {% call statement('forget') %}
            delete from {{ table }} where {{ is_at_hand() }}
        {% endcall %}
        {% call statement('append') %}
            insert into {{ table }} by name {{ sql }}
        {% endcall %}
    {% endfor %}

    {% call statement('main') %}
        reset variable collection_at_hand
    {% endcall %}

    {% do persist_docs(target_relation, model) %}
    {{ run_hooks(post_hooks, inside_transaction=true) }}
    {{ adapter.commit() }}
    {{ run_hooks(post_hooks, inside_transaction=false) }}

    {{ return({'relations': [target_relation]}) }}
{% endmaterialization %}

{#-
    Whether a row belongs to the collection that is being built. A variable and not a subquery: the
    planner sees a constant, and knows that it keeps most rows and not a handful.
-#}
{% macro is_at_hand() -%}
    collection_key = getvariable('collection_at_hand')
{%- endmacro %}

{#- Collections that this build makes anew or removes. -#}
{% macro changed_collection_keys() %}
    {%- set changed = run_query(
        'select distinct collection_key from ' ~ source('ops', 'changed_collections') ~ ' order by collection_key'
    ) -%}
    {{ return(changed.columns[0].values() | map('int') | list) }}
{% endmacro %}
