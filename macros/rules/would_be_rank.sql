{#-
    The places that a score would have among other scores, from rows of one score and one other score each: 1 plus
    the number of strictly higher scores (Lipani et al. 2015, SRE), and the number of places.

    The first place is among the pooled runs. They are fully judged, so an adjusted score can be compared with their
    scores; null where there are none. The second place is among all runs, which is a mixture: runs that were not
    pooled have unjudged documents of their own, and are not adjusted.
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
