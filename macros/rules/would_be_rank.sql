{#-
    The places that a score would have among others, by rows of one score and one other each: 1 and the
    number of strictly higher ones (Lipani et al. 2015, SRE), and how many places there are.

    First among the pooled runs, which are judged in full, so that an adjusted score can be compared with
    theirs; null where there are none. Then among all runs, a mixture: those that were not pooled have
    unjudged documents of their own, and are not adjusted.
-#}
{% macro would_be_rank_columns(score, other_score, is_pooled) -%}
    {%- set is_higher = comparable(other_score) ~ ' > ' ~ comparable(score) -%}
    {%- set n_pooled = 'count(' ~ other_score ~ ') filter (where ' ~ is_pooled ~ ')' -%}
    cast(
        case when {{ n_pooled }} > 0 then 1 + count(*) filter (where {{ is_pooled }} and {{ is_higher }}) end
        as integer
    ) as would_be_rank_among_pooled,
    cast(case when {{ n_pooled }} > 0 then 1 + {{ n_pooled }} end as integer) as n_ranked_pooled,
    cast(1 + count(*) filter (where {{ is_higher }}) as integer) as would_be_rank,
    cast(1 + count({{ other_score }}) as integer) as n_ranked
{%- endmacro %}
