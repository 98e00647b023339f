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

{#-
    The scores of the other runs of the collection, as CTEs of a macro with the arguments `collection` and
    `except_run`, the run that is not to be compared. The last one is `other_scores`.
-#}
{% macro scores_of_other_runs() -%}
{{ imports('int_collections', 'int_runs', 'int_pooled_states') }},

run_scores as (

    select * from {{ ref('int_run_scores') }}
    where
        unjudged = 'nonrelevant'
        and score is not null

),

-- one row per other run and measure
other_scores as (

    select
        run_scores.measure,
        run_scores.score,
        pooled_states.is_pooled
    from collections
    inner join run_scores using (collection_key)
    inner join runs using (run_key)
    inner join pooled_states using (run_key)
    where
        collections.collection_id = collection
        and runs.run_id is distinct from except_run

)
{%- endmacro %}

{#- The place of each clipped score of the CTE `estimates` among these scores, as the CTE `ranked`. -#}
{% macro would_be_ranks() -%}
-- one row per treatment, measure and estimator
ranked as (

    select
        estimates.unjudged,
        estimates.measure,
        estimates.estimator,
        {{ would_be_rank_columns('estimates.clipped_score', 'other_scores.score', 'other_scores.is_pooled') }}
    from estimates
    left join other_scores using (measure)
    group by
        estimates.unjudged,
        estimates.measure,
        estimates.estimator

)
{%- endmacro %}
