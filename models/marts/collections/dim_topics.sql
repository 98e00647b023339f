with

{{ imports('int_collections', 'int_topics', 'int_judged_topics', 'int_topic_pools', 'int_pool_depths') }},

described as (

    select
        collections.collection_id,
        topics.topic_id,
        topics.title,
        judged_topics.topic_key is not null as is_judged,
        cast(coalesce(judged_topics.n_judged, 0) as integer) as n_judged,
        cast(coalesce(judged_topics.n_relevant, 0) as integer) as n_relevant,
        cast(
            {{ if_pool_is_known('nullif(' ~ depth_on_topic('topic_pools', 'pool_depths.pool_depth') ~ ', 0)') }}
            as integer
        ) as pool_depth
    from topics
    inner join collections using (collection_key)
    left join judged_topics using (collection_key, topic_key)
    left join topic_pools using (collection_key, topic_key)
    left join pool_depths using (collection_key)

)

select * from described
