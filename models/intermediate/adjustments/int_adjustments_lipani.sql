with

bias_indicators as (

    select * from {{ ref('int_bias_indicators') }}

),

-- one row per experiment, level and run
adjustments as (

    select
        collection_key,
        level,
        subset,
        concat('P@', cutoff) as measure,
        run_key,
        'lipani' as estimator,
        {{ lipani_adjustment() }} as adjustment
    from bias_indicators

)

select * from adjustments
