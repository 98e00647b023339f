with

preference_lines as (

    select * from {{ source('raw', 'preference_lines') }}

)

select
    collection_key,
    author,
    query as topic_id,
    docno as doc_id,
    other_docno as other_doc_id,
    is_equal,
    line_number
from preference_lines
