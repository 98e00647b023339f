with

{{ imports('int_pooled_runs', 'int_run_scores', 'int_left_out_run_scores') }},

-- one row per pooled run and measure: its score with all judgements, and with the judgements that remain when its
-- organization has left the pool
compared as (

    select
        run_scores.collection_key,
        run_scores.measure,
        run_scores.score_all_topics as score,
        left_out_run_scores.score_all_topics as left_out_score
    from run_scores
    inner join left_out_run_scores
        on
            run_scores.run_key = left_out_run_scores.run_key
            and run_scores.unjudged = left_out_run_scores.unjudged
            and run_scores.measure = left_out_run_scores.measure
    inner join pooled_runs on run_scores.run_key = pooled_runs.run_key
    where
        run_scores.unjudged = 'nonrelevant'
        and run_scores.measure in ('AP', 'P@10')
        and left_out_run_scores.judgement_set = 'without_organization'

),

-- one row per collection with pooled runs and measure
biases as (

    select
        collection_key,
        measure,
        avg(score) as mean_score,
        avg(score - left_out_score) as bias,
        avg(score - left_out_score) / nullif(avg(score), 0) as relative_bias
    from compared
    group by all

)

select * from biases
