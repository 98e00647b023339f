{#-
    Materialization `table_macro`: a query that takes arguments, and that one selects from like a table: `select *
    from topic_scores('collection', 'nDCG@20')`. The model is the query. `arguments` are the names of the arguments
    in the query; an argument with a default is written as `name := value`.
-#}
{% materialization table_macro, adapter='duckdb' %}
    {%- set macro_name = this.include(database=false) -%}

    {{ run_hooks(pre_hooks, inside_transaction=false) }}
    {{ run_hooks(pre_hooks, inside_transaction=true) }}

    {% call statement('main') %}
        create or replace macro {{ macro_name }}({{ config.require('arguments') | join(', ') }}) as table
        {{ sql }}
    {% endcall %}
    {% call statement('describe') %}
        comment on macro table {{ macro_name }} is '{{ model.description | replace("'", "''") }}'
    {% endcall %}

    {{ run_hooks(post_hooks, inside_transaction=true) }}
    {{ adapter.commit() }}
    {{ run_hooks(post_hooks, inside_transaction=false) }}

    {{ return({'relations': []}) }}
{% endmaterialization %}

{#-
    Materialization `own_macro`: a table macro that only Poolhouse calls. A build stores its text, so that other
    programs do not read it when they open the file (`ops.built_relations`). dbt makes it for its own connection.
    Such a model has no hooks.
-#}
{% materialization own_macro, adapter='duckdb' %}
    {% call statement('main') %}
        create or replace temp macro {{ this.identifier }}({{ config.require('arguments') | join(', ') }}) as table
        {{ sql }}
    {% endcall %}
    {{ adapter.commit() }}
    {{ return({'relations': []}) }}
{% endmaterialization %}
