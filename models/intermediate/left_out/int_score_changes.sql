with

{{ imports('int_run_scores', 'int_left_out_run_scores', limits='unique_contribution_limits') }},

-- one row: the AP from which on a loss in per cent says something about the judgements
lowest as (

    select any_value(value) as least_average_precision
    from limits
    where name = 'least_average_precision'

),

-- one row per run that has an AP
average_precisions as (

    select
        run_key,
        score as average_precision
    from run_scores
    where
        measure = 'AP'
        and unjudged = 'nonrelevant'

),

-- one row per run, treatment, measure and judgement set that lacks judgements: the loss of the score
changes as (

    select
        left_out_run_scores.collection_key,
        left_out_run_scores.run_key,
        left_out_run_scores.judgement_set,
        left_out_run_scores.unjudged,
        left_out_run_scores.measure,
        run_scores.score as full_score,
        left_out_run_scores.score,
        {{ signed('100 * (run_scores.score - left_out_run_scores.score) / nullif(run_scores.score, 0)') }}
            as loss_in_percent_of_full_score,
        average_precisions.average_precision >= lowest.least_average_precision as is_above_floor
    from left_out_run_scores
    inner join run_scores
        on
            left_out_run_scores.run_key = run_scores.run_key
            and left_out_run_scores.unjudged = run_scores.unjudged
            and left_out_run_scores.measure = run_scores.measure
    left join average_precisions on left_out_run_scores.run_key = average_precisions.run_key
    cross join lowest

)

select * from changes
