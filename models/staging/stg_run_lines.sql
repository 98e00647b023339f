with

run_lines as (

    select * from {{ source('raw', 'run_lines') }}

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
where not is_left_out
