{#- How a collection was judged (docs/judging.md): what anybody may say of a document that is not in the qrels. -#}

{#-
    The kind of judging that the judgements show. `counts` has n_judged, n_relevant and median_relevant of a collection.
    Without a document that is judged not relevant, the qrels list what is relevant, and are no pool. One or two of these
    a topic are known items.
-#}
{% macro inferred_judging(counts, pool_depth) -%}
    {%- set names_relevant_only = 'not ' ~ holds_both_kinds(counts ~ '.n_judged', counts ~ '.n_relevant') -%}
    case
            when {{ names_relevant_only }} and {{ counts }}.median_relevant <= 2 then 'sparse'
            when {{ names_relevant_only }} then 'relevant only'
            when {{ pool_depth }} is not null then 'pooled'
            else 'unknown'
        end
{%- endmacro %}

{#- Whether the qrels hold documents that are judged not relevant. -#}
{% macro holds_both_kinds(n_judged, n_relevant) -%}
    ({{ n_judged }} > {{ n_relevant }})
{%- endmacro %}

{#- Whether nobody can say of a document outside the qrels whether anybody looked at it. -#}
{% macro lists_relevant_documents(judging) -%}
    coalesce({{ judging }} in ('sparse', 'relevant only'), false)
{%- endmacro %}

{#- A number of unjudged documents, or what follows from it: null where the qrels list relevant documents only. -#}
{% macro if_unjudged_is_told(value, judging) -%}
    case when not {{ lists_relevant_documents(judging) }} then {{ value }} end
{%- endmacro %}

{#- The measures that compare relevant documents with judged ones that are not. Without these they tell nothing. -#}
{% macro measures_of_both_kinds() -%}
    {{ return(['Bpref', 'infAP']) }}
{%- endmacro %}

{#- The columns of these measures on a leaderboard, where they tell something. It reads `pool_depths`. -#}
{% macro told_columns(cte) -%}
    {%- for name in measures_of_both_kinds() -%}
        {%- set column = leaderboard_measures()[name] -%}
        {{ if_unjudged_is_told(cte ~ '.' ~ column, 'pool_depths.judging') }} as {{ column }}{{ ', ' if not loop.last }}
    {%- endfor -%}
{%- endmacro %}

{#-
    From which part of the pool on it is told what would be unjudged without an organization (docs/part_of_the_runs.md): the
    share of the runs that took part, where the descriptions name runs that are not loaded, and else the share of the
    judgements that the loaded runs of the pool explain. With less, runs that are not loaded brought the same documents.
-#}
{% macro least_loaded_share() -%}
    0.8
{%- endmacro %}

{% macro least_explained_share() -%}
    0.7
{%- endmacro %}

{#-
    A value that depends on who else brought a document to the pool; null where too little of the pool is loaded, or the
    pool is not known. `parts` is a CTE of int_pool_parts.
-#}
{% macro if_others_are_known(value, parts='pool_parts') -%}
    case when {{ parts }}.is_told then {{ value }} end
{%- endmacro %}
