with

{{ imports('int_true_layouts') }},

topic_scores as (

    select * from {{ ref('int_candidate_topic_scores') }}
    where judged_by = 'truth'

),

-- one row per layout, run and topic that it answers, with the true score
cells as (

    select
        topic_scores.collection_key,
        true_layouts.layout_key,
        topic_scores.run_key,
        topic_scores.topic_key,
        topic_scores.score
    from topic_scores
    inner join true_layouts
        on
            topic_scores.level = true_layouts.level
            and topic_scores.pool_key = true_layouts.pool_key
            and topic_scores.measure = true_layouts.measure

)

select * from cells
