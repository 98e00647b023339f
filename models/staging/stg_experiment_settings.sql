with

settings as (

    select * from {{ source('experiments', 'settings') }}

)

select
    collection_key,
    experiment,
    n_samples,
    n_topic_samples,
    seed,
    depth,
    widths,
    common_topic_counts,
    fingerprint,
    models_version,
    finished_at
from settings
