{#-
    The method on rows other than the stored ones: models as CTEs, each with the SQL of the model itself. Where a step
    reads a given CTE or an earlier step, it reads the CTE of that name. It reads everything else from the warehouse.
    `given` names the CTEs that come before the steps:

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
        {{ called or name }} as (

{{ render(raw) }}
)
    {%- endif -%}
{%- endmacro %}

{#- A model or seed in the warehouse, without a dependency of dbt on it. -#}
{% macro relation_of(name) -%}
    {%- set found = node_named(name) -%}
    {%- if found.config.materialized == 'ephemeral' -%}
        {{ exceptions.raise_compiler_error(name ~ ' is not in the warehouse: make it a step') }}
    {%- endif -%}
    "{{ found.schema }}"."{{ found.alias }}"
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
