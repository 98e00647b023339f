{#-
    The rows that the measures aggregate: the documents of each cell, under each treatment of unjudged documents. A
    cell is a run's ranking of a topic with one set of judgements. The CTEs `judged_cells` and `compared_cells` are
    to be aggregated. The CTEs read `grid`, `treatments`, `judged_rankings` and `ideal_rankings`. Each relevance
    level of `levels` has its own columns.
-#}
{% macro documents_of_cells(levels) -%}
-- the documents of each cell that are in the qrels without the judgements that are left out
found as (

    select
        grid.cell_key,
        judged_rankings.rank as full_rank,
        judged_rankings.grade,
        {{ relevance_columns('judged_rankings', levels) }}
    from grid
    inner join judged_rankings
        on
            grid.run_key = judged_rankings.run_key
            and grid.topic_key = judged_rankings.topic_key
            and {{ stays_without('judged_rankings', 'grid') }}

),

-- the same rows, where the judged documents are counted from the top
counted as (

    select
        *,
        {{ counting_columns() }}
    from found
    window ranking as (partition by cell_key order by full_rank)

),

-- the documents among them that have a gain, counted from the top
gainful as (

    select
        *,
        {{ gain_counting_columns(levels) }}
    from counted
    where grade > 0
    window ranking as (partition by cell_key order by full_rank)

),

-- the documents of each cell under each treatment of unjudged documents; a cell without documents keeps one empty
-- row for each treatment
judged_cells as (

    select
        grid.*,
        treatments.unjudged,
        counted.* exclude (cell_key, nth_judged, nth_pooled_unjudged),
        {{ treated_columns('counted') }}
    from grid
    cross join treatments
    left join counted on grid.cell_key = counted.cell_key

),

-- the documents with a gain of each cell under each treatment; a cell without any keeps one empty row for each
-- treatment
gainful_cells as (

    select
        grid.*,
        treatments.unjudged,
        gainful.* exclude (cell_key, nth_judged, nth_pooled_unjudged),
        {{ treated_columns('gainful') }}
    from grid
    cross join treatments
    left join gainful on grid.cell_key = gainful.cell_key

),

-- the same rows with the gain of the ideal ranking at the same rank
compared_cells as (

    select
        gainful_cells.*,
        ideal_rankings.gain_so_far as ideal_gain_so_far
    from gainful_cells
    left join ideal_rankings
        on
            gainful_cells.collection_key = ideal_rankings.collection_key
            and gainful_cells.topic_key = ideal_rankings.topic_key
            and {{ is_same_left_out('gainful_cells', 'ideal_rankings') }}
            and {{ rank_in_ideal('gainful_cells') }} = ideal_rankings.rank

)
{%- endmacro %}
