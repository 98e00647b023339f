with

rejected_lines as (

    select * from {{ source('raw', 'rejected_lines') }}

)

select
    collection_key,
    kind as file_kind,
    name as file_name,
    line_number,
    reason,
    text as line_text
from rejected_lines
