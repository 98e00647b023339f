with

builds as (

    select * from {{ source('ops', 'builds') }}

)

select
    collection_key,
    fingerprint,
    models_version,
    built_at
from builds
