{{ config(arguments=['collection', 'asked']) }}

with

scores as (

    select * from {{ ref('int_tied_scores') }}(collection, asked)

),

-- the same rows, or an error where no order of tied documents is known to give the extremes
checked as (

    select
        collection_id,
        run_id,
        topic_id,
        measure,
        score,
        case
            when {{ asked_ties('asked') }} = 'unknown'
                then error(
                    asked || ' has no lowest and highest score by ties: no order of tied documents is known to give '
                    || 'them (docs/decisions/ties.md)'
                )
            else lowest_score
        end as lowest_score,
        highest_score,
        n_tied,
        is_answered
    from scores

)

select * from checked
