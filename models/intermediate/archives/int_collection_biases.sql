with

{{ imports('int_pooled_runs') }},

run_scores as (

    select * from {{ ref('int_run_scores') }}
    where
        measure in ('AP', 'P@10')
        and unjudged = 'nonrelevant'
        and judgement_set in ('full', 'without_organization')

),

-- one row per pooled run and measure: its score with all judgements, and with the judgements that remain when its
-- organization has left the pool
compared as (

    select
        run_scores.collection_key,
        run_scores.run_key,
        run_scores.measure,
        max(run_scores.score_all_topics) filter (where run_scores.judgement_set = 'full') as score,
        max(run_scores.score_all_topics) filter (where run_scores.judgement_set = 'without_organization')
            as left_out_score
    from run_scores
    inner join pooled_runs on run_scores.run_key = pooled_runs.run_key
    group by all

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
