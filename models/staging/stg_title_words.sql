with

title_words as (

    select * from {{ source('raw', 'title_words') }}

)

select
    collection_key,
    query as topic_id,
    word
from title_words
