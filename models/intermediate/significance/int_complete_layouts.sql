with

{{ imports('int_pool_measures') }},

-- one row per measure: the pooled runs that answer every judged topic
layouts as (

    select
        cast(row_number() over (order by measure) as integer) as layout_key,
        measure
    from pool_measures
    where subset = 'all'

)

select * from layouts
