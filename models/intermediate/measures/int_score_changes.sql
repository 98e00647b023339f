with

{{ imports('int_run_scores', limits='unique_contribution_limits') }},

-- one row: the AP from which on a loss in per cent says something about the judgements
lowest as (

    select any_value(value) as least_average_precision
    from limits
    where name = 'least_average_precision'

),

-- the scores, with the run's score with all judgements, and with its AP with all judgements
beside_full as (

    select
        *,
        any_value(score) filter (where judgement_set = 'full')
            over (partition by collection_key, run_key, unjudged, measure) as full_score,
        any_value(score) filter (where judgement_set = 'full' and unjudged = 'nonrelevant' and measure = 'AP')
            over (partition by collection_key, run_key) as average_precision
    from run_scores

),

-- one row per run, treatment, measure and judgement set that lacks judgements: the loss of the score
changes as (

    select
        beside_full.collection_key,
        beside_full.run_key,
        beside_full.judgement_set,
        beside_full.unjudged,
        beside_full.measure,
        beside_full.full_score,
        beside_full.score,
        {{ signed('100 * (beside_full.full_score - beside_full.score) / nullif(beside_full.full_score, 0)') }}
            as loss_in_percent_of_full_score,
        beside_full.average_precision >= lowest.least_average_precision as is_above_floor
    from beside_full
    cross join lowest
    where beside_full.judgement_set <> 'full'

)

select * from changes
