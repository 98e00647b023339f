with

measures as (

    select * from {{ ref('int_measures') }}

)

select
    measure,
    position,
    name,
    family,
    title,
    formula,
    relevance_level,
    cutoff,
    recall_level,
    aggregation,
    lower_bound,
    upper_bound,
    is_recall_normalized,
    measure in ('{{ leaderboard_measures() | join("', '") }}') as is_on_leaderboard,
    {{ has_expected_score('measure') }} as has_expected_score,
    trec_eval_name,
    cast({{ trec_eval_version() }} as integer) as trec_eval_version,
    reference,
    source
from measures
order by position
