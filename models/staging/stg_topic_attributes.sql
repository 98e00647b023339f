with

topic_attributes as (

    select * from {{ source('raw', 'topic_attributes') }}

)

select
    collection_key,
    query as topic_id,
    attribute,
    value
from topic_attributes
