with

author_lines as (

    select * from {{ source('raw', 'author_lines') }}

),

collections as (

    select * from {{ source('raw', 'collections') }}

),

leave_out_pairs as (

    select * from {{ source('raw', 'leave_out_pairs') }}

)

select
    author_lines.collection_key,
    author_lines.author,
    author_lines.query as topic_id,
    author_lines.docno as doc_id,
    {{ counted_grade('author_lines.grade', 'collections.judged_from') }} as grade,
    author_lines.judged_at,
    author_lines.line_number
from author_lines
inner join collections using (collection_key)
anti join leave_out_pairs using (collection_key, query, docno)
