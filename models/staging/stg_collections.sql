with

collections as (

    select * from {{ source('raw', 'collections') }}

)

select
    collection_key,
    collection_id,
    title,
    declared_pool_depth,
    relevance_threshold,
    pooling_order,
    highest_grade
from collections
