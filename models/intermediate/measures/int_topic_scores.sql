{{ config(materialized='by_collection') }}

with

run_topics as (

    select * from {{ ref('int_run_topics') }}
    where {{ is_at_hand() }}

),

judgement_sets as (

    select * from {{ ref('int_judgement_sets') }}
    where {{ is_at_hand() }}

),

topic_totals as (

    select * from {{ ref('int_topic_totals') }}
    where {{ is_at_hand() }}

),

-- all these measures see documents with a gain only
gainful_rankings as (

    select * from {{ ref('int_judged_rankings') }}
    where
        {{ is_at_hand() }}
        and grade > 0

),

-- the grid: one row per run, answered topic and judgement set, with the topic's totals
grid as (

    select
        run_topics.collection_key,
        run_topics.run_key,
        run_topics.topic_key,
        judgement_sets.judgement_set,
        judgement_sets.left_out_run_key,
        judgement_sets.left_out_organization_key,
        topic_totals.* exclude (
            collection_key, topic_key, left_out_run_key, left_out_organization_key
        )
    from run_topics
    inner join judgement_sets on run_topics.run_key = judgement_sets.run_key
    inner join topic_totals
        on
            run_topics.collection_key = topic_totals.collection_key
            and run_topics.topic_key = topic_totals.topic_key
            and judgement_sets.left_out_run_key is not distinct from topic_totals.left_out_run_key
            and judgement_sets.left_out_organization_key
            is not distinct from topic_totals.left_out_organization_key

),

-- the documents of each cell of the grid that stay judged; a cell without any keeps one empty row
judged as (

    select
        grid.*,
        gainful_rankings.rank,
        gainful_rankings.grade,
        coalesce(gainful_rankings.is_relevant, false) as is_relevant
    from grid
    left join gainful_rankings
        on
            grid.run_key = gainful_rankings.run_key
            and grid.topic_key = gainful_rankings.topic_key
            and {{ stays_judged('gainful_rankings.sole_run_key', 'grid.left_out_run_key') }}
            and {{ stays_judged('gainful_rankings.sole_organization_key', 'grid.left_out_organization_key') }}

),

-- the same rows, relevant documents numbered from the top
numbered as (

    select
        *,
        count(*) filter (where is_relevant) over (
            partition by
                run_key,
                topic_key,
                judgement_set
            order by rank
        ) as nth_relevant
    from judged

),

-- one row per cell, one column per measure
measured as (

    select
        collection_key,
        run_key,
        topic_key,
        judgement_set,
        {{ measure_columns(var('measures')) }}
    from numbered
    group by all

),

-- one row per cell and measure
scores as (

    {{ unpivot_measures('measured', var('measures')) }}

)

select * from scores
