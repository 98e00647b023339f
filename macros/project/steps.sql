{#-
    The method on rows other than the stored ones: models as CTEs, each with the SQL of the model itself. Where a step
    reads a given CTE or an earlier step, it reads the CTE of that name. It reads everything else from the warehouse,
    which is an error where it depends on a model that a CTE replaces. `given` names the CTEs that come before the
    steps:

        {{ steps(['int_pool_pairs', 'int_member_losses'], given=['int_candidates', 'int_pool_runs']) }}

    dbt must know immediately which models these are, so every step is named (docs/decisions/steps.md).
-#}
{% macro steps(names, given) -%}
    {%- if not execute -%}
        {%- for name in names -%}{%- do ref(name) -%}{%- endfor -%}
    {%- else -%}
        {%- set known = given | list -%}
        {%- set ctes = [] -%}
        {%- for name in names -%}
            {%- do ctes.append(step(name, known)) -%}
            {%- do known.append(name) -%}
        {%- endfor -%}
        {{ ctes | join(',\n\n') }}
    {%- endif -%}
{%- endmacro %}

{#-
    One of the steps. `instead` names the relations of its model that another CTE replaces, and `called` is the name
    of the step.
-#}
{% macro step(name, given, instead={}, called=none) -%}
    {%- if not execute -%}
        {%- do ref(name) -%}
    {%- else -%}
        {%- set names = {} -%}
        {%- for each in given -%}{%- do names.update({each: each}) -%}{%- endfor -%}
        {%- do names.update(instead) -%}
        {%- set code = {'raw': node_named(name).raw_code} -%}
        {%- for read, cte in names.items() -%}
            {%- do code.update({'raw': code.raw | replace("{{ ref('" ~ read ~ "') }}", cte)}) -%}
        {%- endfor -%}
        {%- set raw = code.raw | replace("{{ ref('", "{{ relation_of('") -%}
        {%- set raw = raw | replace("{{ imports(", "{{ imports_of('" ~ name ~ "', " ~ (names | tojson) ~ ", ") -%}
        {%- set sql = render(raw) -%}
        {%- do refuse_stored_rows(name, sql, names) -%}
        {{ called or name }} as (

{{ sql }}
)
    {%- endif -%}
{%- endmacro %}

{#-
    Raise an error where the SQL of a step reads stored rows in place of the given ones: those of a model that a CTE
    replaces (`replaced`), or of a model that depends on one and is no step.
-#}
{% macro refuse_stored_rows(step, sql, replaced) -%}
    {%- for key in keys_before(node_named(step).unique_id) if key in graph.nodes -%}
        {%- set read = graph.nodes[key] -%}
        {%- if stored_name(read) in sql -%}
            {%- set before = keys_before(key) -%}
            {%- for name in replaced if node_named(name) and node_named(name).unique_id in before -%}
                {{ exceptions.raise_compiler_error(
                    'the step ' ~ step ~ ' reads the stored rows of ' ~ read.name ~ ', which do not follow from the CTE '
                    ~ name ~ ': add ' ~ read.name ~ ' to the steps of ' ~ model.name ~ ', before ' ~ step
                    ~ ' (docs/decisions/steps.md)'
                ) }}
            {%- endfor -%}
        {%- endif -%}
    {%- endfor -%}
{%- endmacro %}

{#- The key of a node, and the keys of all nodes that it depends on, directly or not. -#}
{% macro keys_before(key) %}
    {%- set found = [key] -%}
    {#- the list grows while it is read -#}
    {%- for each in found -%}
        {%- set reads = graph.nodes.get(each, {}).get('depends_on', {}).get('nodes', []) -%}
        {%- do found.extend(reads | reject('in', found) | unique | list) -%}
    {%- endfor -%}
    {{ return(found) }}
{% endmacro %}

{#- A model or seed in the warehouse, without a dependency of dbt on it. -#}
{% macro relation_of(name) -%}
    {%- set found = node_named(name) -%}
    {%- if found.config.materialized == 'ephemeral' -%}
        {{ exceptions.raise_compiler_error(name ~ ' is not in the warehouse: make it a step') }}
    {%- endif -%}
    {{ stored_name(found) }}
{%- endmacro %}

{#- The relation of a node in the warehouse. -#}
{% macro stored_name(node) -%}
    "{{ node.schema }}"."{{ node.alias }}"
{%- endmacro %}

{#-
    The pool of all pooled runs of the collection `asked_collection`, as one CTE for each of these models. Rows of
    other collections and pools are filtered out first.
-#}
{% macro asked_pool(names) -%}
    {%- for name in names -%}
        {{ name }} as (

    select stored.*
    from asked_collection
    inner join {{ ref(name) }} as stored on asked_collection.collection_key = stored.collection_key
    where stored.pool_key = 0

)
        {{- ',\n\n' if not loop.last }}
    {%- endfor -%}
{%- endmacro %}

{#- The same CTEs for the current collections. -#}
{% macro pool_at_hand(names) -%}
    {%- for name in names -%}
        {{ name }} as (

    select * from {{ ref(name) }}
    where
        {{ is_at_hand() }}
        and pool_key = 0

)
        {{- ',\n\n' if not loop.last }}
    {%- endfor -%}
{%- endmacro %}
