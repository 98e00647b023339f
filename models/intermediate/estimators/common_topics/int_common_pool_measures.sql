with

{{ imports(candidates='int_common_candidates') }},

pool_measures as (

    select * from {{ ref('int_pool_measures') }}
    where pool_key = 0

),

pools as (

    select distinct pool_key from candidates

),

-- one row per pool of judgements and measure
common_pool_measures as (

    select
        pools.pool_key,
        pool_measures.measure,
        pool_measures.measure_name,
        pool_measures.cutoff
    from pools
    cross join pool_measures

)

select * from common_pool_measures
