{{ config(arguments=['collection', 'depths']) }}

with

-- materialized, because it is read three times below and takes long to compute
scores as materialized (

    select * from {{ ref('int_assessed_scores') }}(collection, depths)

),

-- one row per depth and measure of performance, which names its layout
asked_layouts as (

    select
        depths_asked.depth,
        performances.performance,
        performances.performance || '@' || depths_asked.depth as measure,
        3 * depths_asked.depth + performances.place as layout_key,
        3 * depths_asked.depth as assessment_layout_key
    from (select distinct depth from scores) as depths_asked
    cross join (values ('P', 1), ('AP', 2)) as performances (performance, place)

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
