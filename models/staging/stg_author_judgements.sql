with

author_lines as (

    select * from {{ source('raw', 'author_lines') }}

)

select
    collection_key,
    author,
    query as topic_id,
    docno as doc_id,
    grade,
    judged_at,
    line_number
from author_lines
