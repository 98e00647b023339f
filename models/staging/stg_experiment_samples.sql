with

samples as (

    select * from {{ source('experiments', 'samples') }}

)

select
    collection_key,
    experiment,
    population,
    width,
    sample,
    run_key,
    role
from samples
