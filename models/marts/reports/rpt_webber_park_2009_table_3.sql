with

errors as (

    select * from {{ ref('rpt_common_topic_errors') }}
    where
        population = 'random'
        and unjudged = 'condensed'
        -- the other estimators are not in the paper
        and estimator in ('unadjusted', 'mixed', 'sampled', 'webber_park_topics')

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
