with

errors as (

    select * from {{ ref('rpt_common_topic_errors') }}
    where
        population = 'manual'
        and unjudged = 'nonrelevant'

)

select
    collection_id,
    width,
    measure,
    n_common_topics,
    estimator,
    n_samples,
    mae,
    mae_standard_error
from errors
