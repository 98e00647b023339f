with

lone_contributions as (

    select * from {{ ref('int_lone_contributions') }}

),

pairs as (

    select * from {{ ref('int_pool_pairs') }}

),

contributions as (

    select * from {{ ref('int_contributions') }}

),

-- one row per pool, level, unpooled run r, pooled run s, and relevant document that s alone
-- contributed to the pool without r's contributor: it loses its judgement when s is withdrawn
withdrawn as (

    select
        pairs.collection_key,
        pairs.pool_key,
        pairs.level,
        pairs.unpooled_run_key,
        pairs.pooled_run_key,
        lone_contributions.topic_key,
        lone_contributions.rank,
        -- r, put in the place of s, returned the document too: it keeps its judgement
        contributions.run_key is not null as is_substituted
    from lone_contributions
    inner join pairs
        on
            lone_contributions.collection_key = pairs.collection_key
            and lone_contributions.pool_key = pairs.pool_key
            and lone_contributions.level = pairs.level
            and lone_contributions.run_key = pairs.pooled_run_key
            and coalesce(
                lone_contributions.other_contributor_key, pairs.unpooled_contributor_key
            ) = pairs.unpooled_contributor_key
    left join contributions
        on
            lone_contributions.collection_key = contributions.collection_key
            and lone_contributions.topic_key = contributions.topic_key
            and lone_contributions.doc_key = contributions.doc_key
            and pairs.unpooled_run_key = contributions.run_key

)

select * from withdrawn
