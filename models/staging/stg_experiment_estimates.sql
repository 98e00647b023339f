with

estimates as (

    select * from {{ source('experiments', 'estimates') }}

)

select
    collection_key,
    experiment,
    population,
    width,
    sample,
    unjudged,
    measure,
    estimator,
    true_score,
    estimate
from estimates
