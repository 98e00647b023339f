with

leave_out_pairs as (

    select * from {{ source('raw', 'leave_out_pairs') }}

)

select
    collection_key,
    query as topic_id,
    docno as doc_id
from leave_out_pairs
