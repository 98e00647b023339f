{#-
    The place that a score would have among others, by rows of one score and one other each: 1 and the
    number of strictly higher ones (Lipani et al. 2015, SRE), and how many places there are.
-#}
{% macro would_be_rank_columns(score, other_score) -%}
    cast(
        1 + count(*) filter (where {{ comparable(other_score) }} > {{ comparable(score) }}) as integer
    ) as would_be_rank,
    cast(1 + count({{ other_score }}) as integer) as n_ranked
{%- endmacro %}
