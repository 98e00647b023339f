{#-
    The method on rows other than the stored ones: models as CTEs, each with the SQL of the model itself. `given` names
    the CTEs that come before, which have the names of models. The steps follow from the lineage: they are the models
    that a wanted one needs and that depend on a given one, each after the steps that it reads. A step reads everything
    else from the warehouse:

        {{ steps(['int_member_losses'], given=['int_pool_runs']) }}

    `stored` names models that the steps read from the warehouse although they depend on a given one: the given rows do
    not change theirs. dbt must know immediately which models are wanted, and knows by them what they need
    (docs/decisions/steps.md).
-#}
{% macro steps(wanted, given, stored=[]) -%}
    {%- if not execute -%}
        {%- for name in wanted -%}{%- do ref(name) -%}{%- endfor -%}
    {%- else -%}
        {%- set known = given | list -%}
        {%- set ctes = [] -%}
        {%- for name in steps_between(given, wanted, stored) -%}
            {%- do ctes.append(as_step(name, known)) -%}
            {%- do known.append(name) -%}
        {%- endfor -%}
        {{ ctes | join(',\n\n') }}
    {%- endif -%}
{%- endmacro %}

{#-
    One step alone. `instead` names the relations of its model that CTEs of other names replace, and `called` is the
    name of the step.
-#}
{% macro step(name, given, instead={}, called=none) -%}
    {%- if not execute -%}
        {%- do ref(name) -%}
    {%- else -%}
        {%- set between = steps_between(given + instead | list, [name], []) -%}
        {%- if between != [name] -%}
            {{ exceptions.raise_compiler_error(
                'the step ' ~ name ~ ' of ' ~ model.name ~ ' needs the steps ' ~ between | join(', ')
            ) }}
        {%- endif -%}
        {{ as_step(name, given, instead, called) }}
    {%- endif -%}
{%- endmacro %}

{#- The models between given ones and wanted ones, each after the models that it reads. -#}
{% macro steps_between(given, wanted, stored) %}
    {%- set found = [] -%}
    {%- set changed = {} -%}
    {%- for name in stored -%}{%- do changed.update({name: false}) -%}{%- endfor -%}
    {%- for name in given if name not in wanted -%}{%- do changed.update({name: true}) -%}{%- endfor -%}
    {%- for name in wanted -%}{%- do find_steps(name, found, changed) -%}{%- endfor -%}
    {{ return(found) }}
{% endmacro %}

{#-
    Append the steps up to a model to `found`. `changed` says of each model that was met whether its rows are other than
    the stored ones.
-#}
{% macro find_steps(name, found, changed) %}
    {%- if name not in changed -%}
        {%- set node = node_named(name) -%}
        {%- set reads = [] -%}
        {%- for key in node.depends_on.nodes if key.startswith('model.') -%}
            {%- set read = graph.nodes[key].name -%}
            {%- do find_steps(read, found, changed) -%}
            {%- do reads.append(changed[read]) -%}
        {%- endfor -%}
        {%- do changed.update({name: true in reads or node.config.materialized == 'ephemeral'}) -%}
        {%- do found.append(name) if changed[name] -%}
    {%- endif -%}
{% endmacro %}

{#-
    The model `name` as a CTE. `given`, `instead` and `called` are those of the macro `step`. A CTE in place of a table
    macro has its rows, and takes no arguments.
-#}
{% macro as_step(name, given, instead={}, called=none) -%}
    {%- set names = {} -%}
    {%- for each in given -%}{%- do names.update({each: each}) -%}{%- endfor -%}
    {%- do names.update(instead) -%}
    {%- set code = {'raw': node_named(name).raw_code} -%}
    {%- for read, cte in names.items() -%}
        {%- set called_with = "(\\([^)]*\\))?" if node_named(read).config.materialized == 'table_macro' else '' -%}
        {%- set reference = modules.re.escape("{{ ref('" ~ read ~ "') }}") ~ called_with -%}
        {%- do code.update({'raw': modules.re.sub(reference, cte, code.raw)}) -%}
    {%- endfor -%}
    {%- set raw = code.raw | replace("{{ ref('", "{{ relation_of('") -%}
    {%- set raw = raw | replace("{{ imports(", "{{ imports_of('" ~ name ~ "', " ~ (names | tojson) ~ ", ") -%}
    {{ called or name }} as (

{{ render(raw) }}
)
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
    inner join {{ ref(name) }} as stored using (collection_key)
    where stored.pool_key = 0

)
        {{- ',\n\n' if not loop.last }}
    {%- endfor -%}
{%- endmacro %}
