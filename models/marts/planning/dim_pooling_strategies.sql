with

pooling_strategies as (

    select * from {{ ref('pooling_strategies') }}

)

select
    strategy,
    position,
    title,
    kind,
    is_in_sql,
    needs_answers,
    has_seed,
    source
from pooling_strategies
order by position
