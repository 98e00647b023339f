{{
    config(
        materialized='table_macro',
        arguments=['collection', 'depths'],
        contract={'enforced': false},
    )
}}
-- The arguments have the names of columns:
-- noqa: disable=RF03

with

{{ imports('int_runs', 'int_run_topics', 'int_ideal_rankings') }},

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
    inner join {{ ref('int_judged_rankings') }} as judged_rankings
        on judged_collection.collection_key = judged_rankings.collection_key

),

treatments as (

    select 'nonrelevant' as unjudged

),

-- one row per judged topic, with what an ideal ranking finds with all judgements
totals as (

    select topic_totals.*
    from judged_collection
    inner join {{ ref('int_topic_totals') }} as topic_totals
        on judged_collection.collection_key = topic_totals.collection_key
    where
        topic_totals.left_out_run_key is null
        and topic_totals.left_out_organization_key is null
        and topic_totals.left_out_relevant_organization_key is null

),

-- the grid: one row per run and judged topic, with the totals of the topic
grid as (

    select
        row_number() over () as cell_key,
        runs.run_key,
        runs.run_id,
        totals.*,
        coalesce(run_topics.n_retrieved, 0) as full_length
    from totals
    inner join runs on totals.collection_key = runs.collection_key
    left join run_topics
        on
            runs.run_key = run_topics.run_key
            and totals.topic_key = run_topics.topic_key

),

{{ documents_of_cells([]) }},

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

-- the same rows, with all three measures
scores as (

    select
        grid.run_id,
        grid.topic_key,
        assessments.depth,
        performances.precision_at_depth,
        performances.average_precision,
        assessments.assessment
    from grid
    inner join assessments on grid.cell_key = assessments.cell_key
    inner join performances
        on
            assessments.cell_key = performances.cell_key
            and assessments.depth = performances.depth

)

select * from scores
