with

topic_errors as (

    select * from {{ source('experiments', 'topic_errors') }}

)

select
    collection_key,
    experiment,
    population,
    width,
    sample,
    unjudged,
    measure,
    n_topics,
    n_common_topics,
    estimator,
    n_topic_samples,
    mean_error,
    mean_absolute_error,
    mean_squared_error,
    n_smaller_adjusted_variance,
    has_smaller_variance_over_all_topics,
    n_fallback
from topic_errors
