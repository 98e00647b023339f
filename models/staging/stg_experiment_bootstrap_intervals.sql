with

bootstrap_intervals as (

    select * from {{ source('experiments', 'bootstrap_intervals') }}

)

select
    collection_key,
    experiment,
    population,
    width,
    sample,
    unjudged,
    measure,
    n_common_topics,
    confidence,
    lower_bound,
    upper_bound
from bootstrap_intervals
