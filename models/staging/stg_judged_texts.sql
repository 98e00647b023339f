with

judged_texts as (

    select * from {{ source('raw', 'judged_texts') }}

)

select
    collection_key,
    docno as doc_id
from judged_texts
