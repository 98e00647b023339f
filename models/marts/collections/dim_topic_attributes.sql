with

{{ imports('int_topic_attributes', 'int_collections', 'int_topics') }},

named as (

    select
        collections.collection_id,
        topics.topic_id,
        topic_attributes.attribute,
        topic_attributes.value
    from topic_attributes
    inner join collections on topic_attributes.collection_key = collections.collection_key
    inner join topics
        on
            topic_attributes.collection_key = topics.collection_key
            and topic_attributes.topic_key = topics.topic_key

)

select * from named
