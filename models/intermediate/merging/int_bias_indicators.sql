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

-- the same rows, and more: what the run itself has at the cutoff when it is left out
own_scores as (

    select
        left_out_scores.collection_key,
        left_out_scores.run_key,
        left_out_scores.level,
        experiments.subset,
        experiments.cutoff,
        any_value(left_out_scores.score) filter (where left_out_scores.measure = experiments.measure)
            as precision,
        any_value(left_out_scores.score) filter (where left_out_scores.measure <> experiments.measure)
            as anti_precision
    from left_out_scores
    inner join experiments
        on
            left_out_scores.pool_key = experiments.pool_key
            and left_out_scores.measure in (experiments.measure, concat('AntiP@', experiments.cutoff))
    group by
        left_out_scores.collection_key,
        left_out_scores.run_key,
        left_out_scores.level,
        experiments.subset,
        experiments.cutoff

),

-- the same rows as of mean effects
indicators as (

    select
        mean_effects.collection_key,
        mean_effects.run_key,
        mean_effects.level,
        mean_effects.subset,
        mean_effects.cutoff,
        own_scores.precision,
        own_scores.anti_precision,
        {{ unjudged_rate('own_scores.precision', 'own_scores.anti_precision') }} as unjudged_rate,
        mean_effects.delta_precision,
        mean_effects.delta_anti_precision,
        {{ delta_unjudged_rate(
            'mean_effects.delta_precision', 'mean_effects.delta_anti_precision'
        ) }} as delta_unjudged_rate
    from mean_effects
    inner join own_scores
        on
            mean_effects.collection_key = own_scores.collection_key
            and mean_effects.run_key = own_scores.run_key
            and mean_effects.level = own_scores.level
            and mean_effects.subset = own_scores.subset
            and mean_effects.cutoff = own_scores.cutoff

),

-- the same rows with what they say together
judged as (

    select
        *,
        {{ lipani_lambda() }} as "lambda"
    from indicators

)

select * from judged
