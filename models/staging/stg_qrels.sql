with

qrels_lines as (

    select * from {{ source('raw', 'qrels_lines') }}

)

select
    collection_key,
    query as topic_id,
    docno as doc_id,
    grade,
    line_number
from qrels_lines
