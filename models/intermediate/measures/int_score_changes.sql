with

run_scores as (

    select * from {{ ref('int_run_scores') }}

),

limits as (

    select * from {{ ref('unique_contribution_limits') }}

),

-- the scores by all judgements
full_scores as (

    select * from run_scores
    where judgement_set = 'full'

),

-- one row: the AP from which on a loss in per cent says something of the judgements
lowest as (

    select any_value(value) as least_average_precision
    from limits
    where name = 'least_average_precision'

),

-- one row per run: whether its AP, as everybody reports it, reaches that; none where AP is not among the measures
average_precisions as (

    select
        full_scores.run_key,
        full_scores.score >= lowest.least_average_precision as is_above_floor
    from full_scores
    cross join lowest
    where
        full_scores.unjudged = 'nonrelevant'
        and full_scores.measure = 'AP'

),

-- one row per run, treatment, measure and judgement set that lacks something: what the score loses with it
changes as (

    select
        run_scores.collection_key,
        run_scores.run_key,
        run_scores.judgement_set,
        run_scores.unjudged,
        run_scores.measure,
        full_scores.score as full_score,
        run_scores.score,
        {{ signed('100 * (full_scores.score - run_scores.score) / nullif(full_scores.score, 0)') }}
            as loss_in_percent_of_full_score,
        average_precisions.is_above_floor
    from run_scores
    inner join full_scores
        on
            run_scores.run_key = full_scores.run_key
            and run_scores.unjudged = full_scores.unjudged
            and run_scores.measure = full_scores.measure
    left join average_precisions on run_scores.run_key = average_precisions.run_key
    where run_scores.judgement_set <> 'full'

)

select * from changes
