with

qrels_lines as (

    select * from {{ source('raw', 'qrels_lines') }}

),

collections as (

    select * from {{ source('raw', 'collections') }}

),

leave_out_pairs as (

    select * from {{ source('raw', 'leave_out_pairs') }}

)

select
    qrels_lines.collection_key,
    qrels_lines.query as topic_id,
    qrels_lines.docno as doc_id,
    {{ counted_grade('qrels_lines.grade', 'collections.judged_from') }} as grade,
    qrels_lines.grade as written_grade,
    qrels_lines.iteration,
    qrels_lines.line_number
from qrels_lines
inner join collections using (collection_key)
anti join leave_out_pairs using (collection_key, query, docno)
