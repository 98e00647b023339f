with

pool_lists as (

    select * from {{ source('raw', 'pool_lists') }}

)

select
    collection_key,
    list_number,
    strategy,
    budget,
    is_per_topic,
    seed,
    run_ids,
    made_at
from pool_lists
