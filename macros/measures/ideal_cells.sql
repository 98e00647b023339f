{#-
    The rows of measures that follow a ranking and the ideal ranking side by side, as the CTE `ideal_cells`: the judged
    documents of each cell, with what both rankings have gained down to their rank. It reads the CTEs of scored_cells.
    For the argument `asked`, the gain of a document is what the argument makes of its grade. Otherwise it is the
    grade.
-#}
{% macro ideal_cells(by, is_asked=true) -%}
{%- set gain = 'gain' if is_asked else 'grade' -%}
{%- set judged_gain = 'judged_cells.gain' if is_asked else 'greatest(judged_cells.grade, 0)' -%}
{%- set set_of_judgements = keys_of_set('ideal', by) ~ ' collection_key, topic_key' -%}
-- the ideal rankings, with the cost of each rank (G), and whether its gain is the last one of its level
ideal_levels as (

    select
        ideal.*,
        sum(greatest(ideal.{{ gain }}, 1)) over ranking_of_gains as cost_so_far,
        lead(ideal.{{ gain }}) over ranking_of_gains is distinct from ideal.{{ gain }} as is_level_end
    from ideal_rankings as ideal
    window ranking_of_gains as (partition by {{ set_of_judgements }} order by ideal.rank)

),

-- the same rows with the levels that end at the rank or below, each weighted by the DCG down to its end (RnDCG)
ideal_ends as (

    select
        ideal.*,
        coalesce(sum(1 / ideal.discounted_gain_so_far) filter (where ideal.is_level_end) over from_the_end, 0)
            as level_weight,
        count(*) filter (where ideal.is_level_end) over all_gains as n_levels,
        max(ideal.gain_so_far) over all_gains as ideal_gain
    from ideal_levels as ideal
    window
        from_the_end as (partition by {{ set_of_judgements }} order by ideal.rank desc),
        all_gains as (partition by {{ set_of_judgements }})

),

-- the judged documents of each cell, beside the ideal ranking
ideal_cells as (

    select
        judged_cells.*,
        {{ 'greatest(judged_cells.grade, 0) as gain,' if not is_asked }}
        sum({{ judged_gain }}) over down_the_ranking as gain_so_far,
        sum({{ discounted_gain('judged_cells.rank', judged_gain) }}) over down_the_ranking as discounted_gain_so_far,
        ideal_ends.cost_so_far as ideal_cost_so_far,
        ideal_ends.discounted_gain_so_far as ideal_discounted_gain_so_far,
        ideal_ends.level_weight,
        ideal_ends.n_levels,
        ideal_ends.ideal_gain
    from judged_cells
    left join ideal_ends
        on
            {{ is_same_set('judged_cells', 'ideal_ends', by) }}
            and {{ rank_in_ideal('judged_cells') }} = ideal_ends.rank
    window down_the_ranking as (partition by judged_cells.cell_key, judged_cells.unjudged order by judged_cells.rank)

)
{%- endmacro %}
