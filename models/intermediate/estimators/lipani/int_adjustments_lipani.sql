with

{{ imports('int_bias_indicators') }},

-- one row per candidate, level and measure
adjustments as (

    select
        collection_key,
        pool_key,
        level,
        run_key,
        'nonrelevant' as unjudged,
        measure,
        'lipani' as estimator,
        {{ lipani_adjustment() }} as adjustment
    from bias_indicators

)

select * from adjustments
