{{ config(arguments=['collection', 'asked']) }}

with

{{ hints_of_asked() }},

performance_scores as (

    select * from {{ ref('int_asked_topic_scores') }}(collection, asked)

),

assessment_scores as (

    select * from {{ ref('int_asked_topic_scores') }}(collection, {{ asked_assessment('asked') }})

),

-- one row: the two layouts; or an error where the measure has no depth to assess
asked_layouts as (

    select
        case
            -- a misspelt measure is reported where it is scored
            when {{ has_asked_depth('asked') }} or hints.problem is not null then 1
            else error(
                asked || ' does not say to which depth runs are compared: ask for a measure with a rank, such as P@10, '
                || 'AP@1000 or nDCG@20'
            )
        end as layout_key,
        0 as assessment_layout_key
    from hints

),

-- the cells of both layouts: every run on every judged topic; a topic that a run does not answer is an empty
-- ranking
int_layout_cells as materialized (

    select
        0 as collection_key,
        1 as layout_key,
        run_id as run_key,
        topic_id as topic_key,
        score
    from performance_scores
    union all
    select
        0 as collection_key,
        0 as layout_key,
        run_id as run_key,
        topic_id as topic_key,
        score
    from assessment_scores

),

{{ tested_pairs() }},

-- one row per pair of runs
decisions as (

    {{ decided_pairs() }}

),

named as (

    select
        collection as collection_id,
        asked as measure,
        {{ asked_assessment('asked') }} as assessment_measure,
        {{ decided_columns('decisions') }}
    from decisions

)

select * from named
order by
    run_id,
    other_run_id
