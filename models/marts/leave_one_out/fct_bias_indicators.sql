with

{{ imports('int_bias_indicators', 'int_collections', 'int_runs', 'int_pool_measures') }},

named as (

    select
        collections.collection_id,
        runs.run_id,
        bias_indicators.level,
        pool_measures.subset,
        bias_indicators.cutoff,
        bias_indicators.precision,
        bias_indicators.anti_precision,
        bias_indicators.unjudged_rate,
        bias_indicators.delta_precision,
        bias_indicators.delta_anti_precision,
        bias_indicators.delta_unjudged_rate,
        bias_indicators.bias_lambda
    from bias_indicators
    inner join pool_measures using (pool_key, measure)
    inner join collections using (collection_key)
    inner join runs using (run_key)

)

select * from named
