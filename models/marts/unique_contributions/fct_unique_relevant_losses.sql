with

run_scores as (

    select * from {{ ref('fct_run_scores') }}
    where judgement_set in ('full', 'without_unique_relevant')

),

runs as (

    select * from {{ ref('dim_runs') }}

),

-- one row: from which AP on the loss of a run is looked at, and the largest one that is not flagged
limits as (

    select
        any_value(value) filter (where name = 'least_average_precision') as least_average_precision,
        any_value(value) filter (where name = 'largest_loss_in_percent') as largest_loss
    from {{ ref('unique_contribution_limits') }}

),

-- one row per run, treatment and measure: the score by either judgement set
scores as (

    select
        collection_id,
        run_id,
        unjudged,
        measure,
        any_value(score) filter (where judgement_set = 'full') as full_score,
        any_value(score) filter (where judgement_set = 'without_unique_relevant') as score_without
    from run_scores
    group by
        collection_id,
        run_id,
        unjudged,
        measure

),

-- one row per run: what it has by AP as everybody reports it; none where AP is not among the measures
average_precisions as (

    select
        collection_id,
        run_id,
        score as average_precision
    from {{ ref('fct_run_scores') }}
    where
        judgement_set = 'full'
        and unjudged = 'nonrelevant'
        and measure = 'AP'

),

-- one row per run, treatment and measure, with what is lost
losses as (

    select
        scores.collection_id,
        scores.run_id,
        runs.organization,
        runs.run_type,
        runs.is_pooled,
        scores.unjudged,
        scores.measure,
        scores.full_score,
        scores.score_without as score_without_unique_relevant,
        {{ signed('100 * (scores.full_score - scores.score_without) / nullif(scores.full_score, 0)') }}
            as loss_in_percent_of_full_score,
        average_precisions.average_precision >= limits.least_average_precision as is_above_floor,
        limits.largest_loss
    from scores
    cross join limits
    inner join runs
        on
            scores.collection_id = runs.collection_id
            and scores.run_id = runs.run_id
    left join average_precisions
        on
            scores.collection_id = average_precisions.collection_id
            and scores.run_id = average_precisions.run_id

),

-- the same rows, and whether the loss is large
flagged as (

    select
        * exclude (largest_loss),
        is_above_floor and {{ comparable('loss_in_percent_of_full_score') }} > largest_loss as is_flagged
    from losses

)

select * from flagged
