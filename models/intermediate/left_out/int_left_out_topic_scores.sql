with

{{ imports('int_scores', 'int_left_out_scores', 'int_judgement_sets') }},

-- one row per run, judged topic, judgement set that lacks judgements, and treatment. Where a judgement set loses no
-- document of the topic, the score is the score with all judgements; sets that lose the same documents have the same
-- score.
labelled as (

    select
        judgement_sets.judgement_set,
        scores.*
    from scores
    inner join judgement_sets using (run_key, topic_key)
    where judgement_sets.left_out_key = 0
    union all by name
    select
        judgement_sets.judgement_set,
        left_out_scores.* exclude (left_out_key)
    from left_out_scores
    inner join judgement_sets using (run_key, topic_key, left_out_key)

),

-- one row per cell and measure
topic_scores as (

    {{ unpivot_measures('labelled', var('measures')) }}

)

select * from topic_scores
