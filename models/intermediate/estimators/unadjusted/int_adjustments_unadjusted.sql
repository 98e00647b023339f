with

candidate_scores as (

    select * from {{ ref('int_candidate_scores') }}
    where judged_by = 'pool'

),

-- one row per candidate, level, treatment and measure: nothing is added
adjustments as (

    select
        collection_key,
        pool_key,
        level,
        run_key,
        unjudged,
        measure,
        'unadjusted' as estimator,
        0.0 as adjustment
    from candidate_scores

)

select * from adjustments
