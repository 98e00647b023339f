{{ config(arguments=['collection', 'alpha', 'of_subset := null']) }}

with

swept_scores as (

    select * from {{ ref('int_swept_scores') }}(collection, alpha, of_subset)

),

-- one row per level, subset and measure
summed_up as (

    select
        collection as collection_id,
        cast(alpha as double) as alpha,
        level,
        subset,
        measure,
        cast(count(*) as integer) as n_runs,
        avg(delta_precision) as delta_precision,
        avg(delta_anti_precision) as delta_anti_precision,
        stddev_samp(delta_precision) as delta_precision_deviation,
        stddev_samp(delta_anti_precision) as delta_anti_precision_deviation,
        cast(count(*) filter (where {{ lipani_triggers()['lambda'] }}) as integer) as n_triggered,
        cast(count(*) filter (where {{ signed('adjustment') }} > 0) as integer) as n_corrected,
        avg(adjustment) as adjustment,
        avg(abs(error)) as mae
    from swept_scores
    group by all

)

select * from summed_up
