with

bias_indicators as (

    select * from {{ ref('int_bias_indicators') }}

),

-- one row per experiment, level and run (algorithm 1 of Lipani et al. 2015)
adjustments as (

    select
        collection_key,
        level,
        subset,
        concat('P@', cutoff) as measure,
        run_key,
        'lipani' as estimator,
        case
            when "lambda" > 0 then unjudged_rate * greatest(delta_unjudged_rate, 0)
            else 0
        end as adjustment
    from bias_indicators

)

select * from adjustments
