with

left_out_scores as (

    select * from {{ ref('int_left_out_scores') }}
    where pool_view = 'unpooled'

),

experiments as (

    select * from {{ ref('int_experiments') }}

),

-- one row per experiment, level and run: nothing is added
adjustments as (

    select
        left_out_scores.collection_key,
        left_out_scores.level,
        experiments.subset,
        experiments.measure,
        left_out_scores.run_key,
        'unadjusted' as estimator,
        0.0 as adjustment
    from left_out_scores
    inner join experiments
        on
            left_out_scores.pool_key = experiments.pool_key
            and left_out_scores.measure = experiments.measure

)

select * from adjustments
