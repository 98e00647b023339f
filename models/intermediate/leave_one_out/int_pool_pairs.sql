with

members as (

    select * from {{ ref('int_pool_members') }}

),

-- one row per pool, level, unpooled run and run that stays when the former is left out
pairs as (

    select
        unpooled.collection_key,
        unpooled.pool_key,
        unpooled.level,
        unpooled.run_key as unpooled_run_key,
        unpooled.contributor_key as unpooled_contributor_key,
        pooled.run_key as pooled_run_key,
        pooled.contributor_key as pooled_contributor_key
    from members as unpooled
    inner join members as pooled
        on
            unpooled.collection_key = pooled.collection_key
            and unpooled.pool_key = pooled.pool_key
            and unpooled.level = pooled.level
            and unpooled.contributor_key <> pooled.contributor_key

)

select * from pairs
