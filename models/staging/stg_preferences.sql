with

preference_lines as (

    select * from {{ source('raw', 'preference_lines') }}

),

leave_out_pairs as (

    select * from {{ source('raw', 'leave_out_pairs') }}

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
anti join leave_out_pairs using (collection_key, query, docno)
anti join leave_out_pairs as other_pairs
    on
        preference_lines.collection_key = other_pairs.collection_key
        and preference_lines.query = other_pairs.query
        and preference_lines.other_docno = other_pairs.docno
