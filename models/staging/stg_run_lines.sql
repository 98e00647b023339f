with

run_lines as (

    select * from {{ source('raw', 'run_lines') }}

),

leave_out_pairs as (

    select * from {{ source('raw', 'leave_out_pairs') }}

)

select
    collection_key,
    run_key,
    query as topic_id,
    docno as doc_id,
    score,
    rank as given_rank,
    line_number
from run_lines
anti join leave_out_pairs using (collection_key, query, docno)
