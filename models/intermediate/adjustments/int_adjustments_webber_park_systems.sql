with

losses as (

    select * from {{ ref('int_withdrawal_losses') }}

),

experiments as (

    select * from {{ ref('int_experiments') }}

),

-- one row per experiment, level, run and variant: the mean loss of the other runs
adjustments as (

    select
        losses.collection_key,
        losses.level,
        experiments.subset,
        experiments.measure,
        losses.unpooled_run_key as run_key,
        {{ webber_park_estimator('losses.has_substitution') }} as estimator,
        avg(losses.loss) as adjustment
    from losses
    inner join experiments
        on
            losses.pool_key = experiments.pool_key
            and losses.measure = experiments.measure
    group by
        losses.collection_key,
        losses.level,
        experiments.subset,
        experiments.measure,
        losses.unpooled_run_key,
        losses.has_substitution

)

select * from adjustments
