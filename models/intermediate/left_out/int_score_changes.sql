with

{{ imports('int_run_scores', 'int_left_out_run_scores', 'int_pool_depths', limits='unique_contribution_limits') }},

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

-- one row per run, treatment, measure and judgement set that lacks judgements: the score, which is not known without a
-- pool depth
known as (

    select
        left_out_run_scores.* replace (
            {{ if_pool_is_known('left_out_run_scores.score') }} as score
        )
    from left_out_run_scores
    inner join pool_depths using (collection_key)

),

-- the same rows with the loss of the score
changes as (

    select
        known.collection_key,
        known.run_key,
        known.judgement_set,
        known.unjudged,
        known.measure,
        run_scores.score as full_score,
        known.score,
        {{ signed('100 * (run_scores.score - known.score) / nullif(run_scores.score, 0)') }}
            as loss_in_percent_of_full_score,
        average_precisions.average_precision >= lowest.least_average_precision as is_above_floor
    from known
    inner join run_scores using (run_key, unjudged, measure)
    left join average_precisions using (run_key)
    cross join lowest

)

select * from changes
