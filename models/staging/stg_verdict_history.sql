with

verdict_history as (

    select * from {{ source('ops', 'verdict_history') }}

)

select
    collection_id,
    verdict,
    n_judged_topics,
    rule_id,
    figure,
    outcome,
    built_at
from verdict_history
