with

{{ imports('int_true_layouts', topic_scores="int_candidate_topic_scores where judged_by = 'truth'") }},

-- one row per layout, run and topic that it answers, with the true score
cells as (

    select
        topic_scores.collection_key,
        true_layouts.layout_key,
        topic_scores.run_key,
        topic_scores.topic_key,
        topic_scores.score
    from topic_scores
    inner join true_layouts using (level, pool_key, measure)

)

select * from cells
