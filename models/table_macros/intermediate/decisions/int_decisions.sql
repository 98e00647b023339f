{{ config(arguments=['collection', 'depths']) }}

with

{{ imports('int_runs', 'int_run_topics', 'int_judgements') }},

{{ collection_of_plan() }},

{{ asked_ranks('depth', 'depths') }},

-- one row: the collection; or an error where there is nothing to score
judged_collection as (

    select
        case
            when is_judged then collection_key
            else {{ not_judged('collection_id') }}
        end as collection_key
    from asked_collection

),

-- the documents of the collection's rankings that are in the qrels
judged_rankings as (

    select judged_rankings.*
    from judged_collection
    inner join {{ ref('int_judged_rankings') }} as judged_rankings using (collection_key)

),

-- the judged topics, with all judgements
sets as (

    select judged_topics.*
    from judged_collection
    inner join {{ ref('int_judged_topics') }} as judged_topics using (collection_key)

),

-- one row per run and judged topic
lists as (

    select
        runs.collection_key,
        runs.run_key,
        sets.topic_key
    from sets
    inner join runs using (collection_key)

),

{{ scored_cells(measures=[]) }},

-- one row per run, judged topic and depth: the assessed share of the ranking
assessments as (

    select
        judged_cells.cell_key,
        distinct_depths.depth,
        {{ aggregate('A', 'distinct_depths.depth', {}, none) }} as assessment
    from judged_cells
    cross join distinct_depths
    group by
        judged_cells.cell_key,
        distinct_depths.depth

),

-- one row per run, judged topic and depth: precision and average precision
performances as (

    select
        gainful_cells.cell_key,
        distinct_depths.depth,
        {{ aggregate('P', 'distinct_depths.depth', {}, none) }} as precision_at_depth,
        {{ aggregate('AP', 'distinct_depths.depth', {}, none) }} as average_precision
    from gainful_cells
    cross join distinct_depths
    group by
        gainful_cells.cell_key,
        distinct_depths.depth

),

-- the same rows, with all three measures; materialized, because it is read three times below and takes long to
-- compute
scores as materialized (

    select
        runs.run_id,
        grid.topic_key,
        assessments.depth,
        performances.precision_at_depth,
        performances.average_precision,
        assessments.assessment
    from grid
    inner join runs using (run_key)
    inner join assessments using (cell_key)
    inner join performances using (cell_key, depth)

),

-- one row per depth and measure of performance, which names its layout
asked_layouts as (

    select
        depths_asked.depth,
        listed.performance,
        listed.performance || '@' || depths_asked.depth as measure,
        3 * depths_asked.depth + listed.place as layout_key,
        3 * depths_asked.depth as assessment_layout_key
    from (select distinct depth from scores) as depths_asked
    cross join (values ('P', 1), ('AP', 2)) as listed (performance, place)

),

-- the cells of all layouts: every run on every judged topic; a topic that a run does not answer is an empty
-- ranking
int_layout_cells as materialized (

    {% for score in ['assessment', 'precision_at_depth', 'average_precision'] %}
        select
            0 as collection_key,
            3 * depth + {{ loop.index0 }} as layout_key,
            run_id as run_key,
            topic_key,
            {{ score }} as score
        from scores
        {{ 'union all' if not loop.last }}
    {% endfor %}

),

{{ tested_pairs() }},

-- one row per measure of performance, depth and pair of runs
decisions as (

    {{ decided_pairs() }}

)

select * from decisions
