with

title_word_documents as (

    select * from {{ source('raw', 'title_word_documents') }}

)

select
    collection_key,
    query as topic_id,
    word,
    docno as doc_id
from title_word_documents
