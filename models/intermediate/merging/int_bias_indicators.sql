with

effects as (

    select * from {{ ref('int_merge_effects') }}

),

left_out_scores as (

    select * from {{ ref('int_left_out_scores') }}
    where pool_view = 'unpooled'

),

experiments as (

    select * from {{ ref('int_experiments') }}
    where measure_name = 'P'

),

-- one row per experiment, level and run: the mean effect on the other runs
mean_effects as (

    select
        collection_key,
        level,
        subset,
        cutoff,
        unpooled_run_key as run_key,
        avg(delta_precision) as delta_precision,
        avg(delta_anti_precision) as delta_anti_precision
    from effects
    group by
        collection_key,
        level,
        subset,
        cutoff,
        unpooled_run_key

),

-- the same rows with the run's own scores when it is left out
indicators as (

    select
        mean_effects.collection_key,
        mean_effects.run_key,
        mean_effects.level,
        mean_effects.subset,
        mean_effects.cutoff,
        relevant.score as precision,
        non_relevant.score as anti_precision,
        {{ unjudged_rate('relevant.score', 'non_relevant.score') }} as unjudged_rate,
        mean_effects.delta_precision,
        mean_effects.delta_anti_precision,
        {{ delta_unjudged_rate(
            'mean_effects.delta_precision', 'mean_effects.delta_anti_precision'
        ) }} as delta_unjudged_rate
    from mean_effects
    inner join experiments
        on
            mean_effects.subset = experiments.subset
            and mean_effects.cutoff = experiments.cutoff
    inner join left_out_scores as relevant
        on
            mean_effects.collection_key = relevant.collection_key
            and mean_effects.run_key = relevant.run_key
            and mean_effects.level = relevant.level
            and experiments.pool_key = relevant.pool_key
            and experiments.measure = relevant.measure
    inner join left_out_scores as non_relevant
        on
            mean_effects.collection_key = non_relevant.collection_key
            and mean_effects.run_key = non_relevant.run_key
            and mean_effects.level = non_relevant.level
            and experiments.pool_key = non_relevant.pool_key
            and concat('AntiP@', experiments.cutoff) = non_relevant.measure

),

-- the same rows with what they say together
judged as (

    select
        *,
        {{ lipani_lambda() }} as "lambda"
    from indicators

)

select * from judged
