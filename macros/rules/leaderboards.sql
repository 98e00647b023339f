{#-
    The measures of the leaderboards, each with its column. The name of the column is ir_measures' name of the
    measure in lower case, with `_` for @. A name such as P@10 would have to be quoted in every query, and trec_eval's
    `map` is the name of a type.
-#}
{% macro leaderboard_measures() -%}
    {{ return({
        'AP': 'ap',
        'P@5': 'p_5',
        'P@10': 'p_10',
        'P@20': 'p_20',
        'P@100': 'p_100',
        'nDCG@3': 'ndcg_3',
        'nDCG@5': 'ndcg_5',
        'nDCG@10': 'ndcg_10',
        'nDCG@20': 'ndcg_20',
        'RR': 'rr',
        'RR@10': 'rr_10',
        'Rprec': 'rprec',
        'Bpref': 'bpref',
        'infAP': 'infap',
        'R@100': 'r_100',
        'R@1000': 'r_1000',
    }) }}
{%- endmacro %}

{#- The main measure of a collection that declares none, which is the one that trec_eval prints first. -#}
{% macro usual_main_measure() -%}
    AP
{%- endmacro %}

{#- The score by the main measure of the collection, from a CTE with a column for each measure. -#}
{% macro main_score(cte) -%}
    case collections.main_measure
        {%- for name, column in leaderboard_measures().items() %}
            when '{{ name }}' then {{ cte }}.{{ column }}
        {%- endfor %}
    end
{%- endmacro %}

{#- The place by the main measure; null where the marts do not contain the measure. It reads `collections`. -#}
{% macro leaderboard_rank(cte, within) -%}
    {%- set score = main_score(cte) -%}
    cast(
        case when {{ score }} is not null then rank() over (
            partition by {{ within }} order by {{ comparable(score) }} desc nulls last
        ) end as integer
    )
{%- endmacro %}

{#- A column for each measure, from rows by measure; null for a measure that the marts do not contain. -#}
{% macro leaderboard_columns(measure, score) -%}
    {%- for name, column in leaderboard_measures().items() -%}
        max({{ score }}) filter (where {{ measure }} = '{{ name }}') as {{ column }}
        {{- ',\n' if not loop.last }}
    {%- endfor -%}
{%- endmacro %}

{#- The same columns, from rows that have a column for each measure of the marts (int_scores). -#}
{% macro leaderboard_columns_of_scores() -%}
    {%- for name, column in leaderboard_measures().items() -%}
        {{ '"' ~ name ~ '"' if name in var('measures') else 'cast(null as double)' }} as {{ column }}
        {{- ',\n' if not loop.last }}
    {%- endfor -%}
{%- endmacro %}

{#- The same columns, from a CTE that has them as columns already. -#}
{% macro leaderboard_columns_of(cte) -%}
    {%- for column in leaderboard_measures().values() -%}
        {{ cte }}.{{ column }}
        {{- ',\n' if not loop.last }}
    {%- endfor -%}
{%- endmacro %}

{#- The place by a score among the runs of the collection, for one measure; null without a score. -#}
{% macro leaderboard_place(score) -%}
    cast(
        case when {{ score }} is not null then rank() over (
            partition by told.collection_key, told.measure order by {{ comparable(score) }} desc nulls last
        ) end as integer
    )
{%- endmacro %}
