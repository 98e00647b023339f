{{ config(materialized='table_macro', arguments=['collection', 'run_table']) }}

with

scores as (

    select * from {{ ref('int_new_run_scores') }}(collection, run_table)

),

losses as (

    select * from {{ ref('int_new_run_losses') }}(collection, run_table)

),

merge_effects as (

    select * from {{ ref('int_new_run_merge_effects') }}(collection, run_table)

),

experiments as (

    select * from {{ ref('int_experiments') }}
    where pool_key = 0

),

-- one row per measure: nothing is added
unadjusted as (

    select
        scores.measure,
        'unadjusted' as estimator,
        0.0 as adjustment
    from scores
    inner join experiments on scores.measure = experiments.measure
    where scores.judged_by = 'qrels'

),

-- one row per measure and variant: the mean loss of the pooled runs
webber_park_systems as (

    select
        measure,
        {{ webber_park_estimator('has_substitution') }} as estimator,
        avg(loss) as adjustment
    from losses
    group by
        measure,
        has_substitution

),

-- one row per cutoff: the mean effect on the pooled runs
mean_effects as (

    select
        cutoff,
        avg(delta_precision) as delta_precision,
        avg(delta_anti_precision) as delta_anti_precision
    from merge_effects
    group by cutoff

),

-- the same rows with the run's own scores by the pool
indicators as (

    select
        relevant.measure,
        relevant.score as precision,
        non_relevant.score as anti_precision,
        {{ unjudged_rate('relevant.score', 'non_relevant.score') }} as unjudged_rate,
        mean_effects.delta_precision,
        mean_effects.delta_anti_precision,
        {{ delta_unjudged_rate(
            'mean_effects.delta_precision', 'mean_effects.delta_anti_precision'
        ) }} as delta_unjudged_rate
    from mean_effects
    inner join scores as relevant
        on
            concat('P@', mean_effects.cutoff) = relevant.measure
            and relevant.judged_by = 'pool'
    inner join scores as non_relevant
        on
            concat('AntiP@', mean_effects.cutoff) = non_relevant.measure
            and non_relevant.judged_by = 'pool'

),

-- the same rows with what they say together
judged as (

    select
        *,
        {{ lipani_lambda() }} as "lambda"
    from indicators

),

lipani as (

    select
        measure,
        'lipani' as estimator,
        {{ lipani_adjustment() }} as adjustment
    from judged

),

-- one row per measure and estimator
adjustments as (

    select * from unadjusted
    union all by name
    select * from webber_park_systems
    union all by name
    select * from lipani

)

select * from adjustments
