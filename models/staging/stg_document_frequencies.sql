with

document_frequencies as (

    select * from {{ source('raw', 'document_frequencies') }}

)

select
    collection_key,
    word,
    document_frequency
from document_frequencies
