{#-
    Normalized discounted cumulative gain with the grade as gain and the logarithm of rank + 1 as
    discount, as in trec_eval: every positive grade counts, whatever the relevance threshold.
-#}
{% macro measure_ndcg(cutoff, parameters) -%}
    {{ over_total(dcg('rank', 'grade', cutoff), 'any_value(' ~ ideal_dcg_column(cutoff) ~ ')') }}
{%- endmacro %}

{#- Discounted cumulative gain down to the cutoff, none for the whole ranking. -#}
{% macro dcg(rank, grade, cutoff=none) -%}
    coalesce(
        sum({{ grade }} / log2({{ rank }} + 1))
            filter (where {{ grade }} > 0 {% if cutoff %}and {{ rank }} <= {{ cutoff }}{% endif %}),
        0
    )
{%- endmacro %}

{#- The column of int_topic_totals that holds the ideal ranking's gain. -#}
{% macro ideal_dcg_column(cutoff=none) -%}
    ideal_dcg{{ '_' ~ cutoff if cutoff }}
{%- endmacro %}

{#- These columns, one for each cutoff of nDCG among the project's measures. -#}
{% macro ideal_dcg_columns(rank, grade) -%}
    {%- set columns = [] -%}
    {%- for measure_id in var('measures') if parse_measure(measure_id).name == 'nDCG' -%}
        {%- set cutoff = parse_measure(measure_id).cutoff -%}
        {%- do columns.append(dcg(rank, grade, cutoff) ~ ' as ' ~ ideal_dcg_column(cutoff)) -%}
    {%- endfor -%}
    {{ columns | join(',\n        ') }}
{%- endmacro %}
