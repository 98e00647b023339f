with

files as (

    select * from {{ source('ops', 'files') }}

)

select
    collection_key,
    kind as file_kind,
    name as file_name,
    n_rows,
    n_duplicates
from files
