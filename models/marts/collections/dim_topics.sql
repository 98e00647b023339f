with

{{ imports('int_collections', 'int_topics', 'int_judged_topics') }},

described as (

    select
        collections.collection_id,
        topics.topic_id,
        topics.title,
        judged_topics.topic_key is not null as is_judged,
        cast(coalesce(judged_topics.n_judged, 0) as integer) as n_judged,
        cast(coalesce(judged_topics.n_relevant, 0) as integer) as n_relevant
    from topics
    inner join collections using (collection_key)
    left join judged_topics using (collection_key, topic_key)

)

select * from described
