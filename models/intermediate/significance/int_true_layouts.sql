with

{{ imports('int_levels', 'int_pool_measures') }},

-- one row per level, pool and measure: the runs of a pool, on the topics that they answer
layouts as (

    select
        cast(row_number() over (order by levels.level, pool_measures.pool_key, pool_measures.measure) as integer)
            as layout_key,
        levels.level,
        pool_measures.pool_key,
        pool_measures.measure
    from levels
    cross join pool_measures

)

select * from layouts
