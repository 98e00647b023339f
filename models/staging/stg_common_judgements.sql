with

common_judgements as (

    select * from {{ source('raw', 'common_judgements') }}

)

select
    collection_key,
    run_id,
    query as topic_id,
    docno as doc_id,
    grade,
    line_number
from common_judgements
