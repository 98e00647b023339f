{{ config(materialized='table', meta={'rule': 'by_run'}) }}
{%- set levels = relevance_levels(var('measures')) %}

with

{{ imports(
    'int_run_topics', 'int_judgement_sets', 'int_topic_totals', 'int_ideal_rankings', 'int_judged_rankings'
) }},

treatments as (

    select * from (values ('nonrelevant'), ('condensed')) as listed (unjudged)

),

-- one row per run, judged topic and run or organization whose leaving loses a document there. Where nothing is
-- lost, one row serves all judgement sets.
left_out as (

    select distinct
        collection_key,
        run_key,
        topic_key,
        left_out_run_key,
        left_out_organization_key,
        left_out_relevant_organization_key
    from judgement_sets

),

-- the grid: the same rows with the totals of the topic. The CTEs below identify a row by its key, so that the rows
-- that they pass on are narrow.
grid as (

    select
        cast(
            row_number() over (
                order by
                    left_out.run_key,
                    topic_totals.topic_key,
                    left_out.left_out_run_key,
                    left_out.left_out_organization_key,
                    left_out.left_out_relevant_organization_key
            ) as integer
        ) as cell_key,
        left_out.run_key,
        topic_totals.*,
        run_topics.n_retrieved is not null as is_answered,
        coalesce(run_topics.n_retrieved, 0) as full_length
    from left_out
    inner join topic_totals
        on
            left_out.collection_key = topic_totals.collection_key
            and left_out.topic_key = topic_totals.topic_key
            and {{ is_same_left_out('left_out', 'topic_totals') }}
    left join run_topics
        on
            left_out.run_key = run_topics.run_key
            and topic_totals.topic_key = run_topics.topic_key

),

{{ documents_of_cells(levels) }},

-- one row per cell and treatment, one column per measure of all judged documents
measured_judged as (

    select
        cell_key,
        unjudged,
        {{ measure_columns(measures_of('judged', var('measures'))) }}
    from judged_cells
    group by all

),

-- one row per cell and treatment, one column per measure of the documents with a gain
measured_gains as (

    select
        cell_key,
        unjudged,
        {{ measure_columns(measures_of('gains', var('measures'))) }}
    from compared_cells
    group by all

),

-- one row per cell and treatment, one column per measure
measured as (

    select
        grid.collection_key,
        grid.run_key,
        grid.topic_key,
        grid.left_out_run_key,
        grid.left_out_organization_key,
        grid.left_out_relevant_organization_key,
        grid.is_answered,
        measured_judged.* exclude (cell_key),
        measured_gains.* exclude (cell_key, unjudged)
    from grid
    inner join measured_judged on grid.cell_key = measured_judged.cell_key
    inner join measured_gains
        on
            measured_judged.cell_key = measured_gains.cell_key
            and measured_judged.unjudged = measured_gains.unjudged

)

select * from measured
