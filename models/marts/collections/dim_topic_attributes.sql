with

{{ imports('int_topic_attributes', 'int_collections', 'int_topics') }},

named as (

    select
        collections.collection_id,
        topics.topic_id,
        topic_attributes.attribute,
        topic_attributes.value
    from topic_attributes
    inner join collections using (collection_key)
    inner join topics using (collection_key, topic_key)

)

select * from named
