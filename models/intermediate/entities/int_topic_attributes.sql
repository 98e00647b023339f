{{ config(materialized='table') }}

with

{{ imports('int_topics', topic_attributes='raw.topic_attributes') }},

-- one row per topic of the collection and attribute; a load after the build must not change them
keyed as (

    select
        topics.collection_key,
        topics.topic_key,
        topic_attributes.attribute,
        topic_attributes.value
    from topic_attributes
    inner join topics
        on
            topic_attributes.collection_key = topics.collection_key
            and topic_attributes.query = topics.topic_id

)

select * from keyed
