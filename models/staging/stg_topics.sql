with

topics as (

    select * from {{ source('raw', 'topics') }}

)

select
    collection_key,
    query as topic_id,
    title
from topics
