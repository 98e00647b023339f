with

estimators as (

    select * from {{ ref('estimators') }}

)

select
    estimator,
    position,
    title,
    needs,
    has_condensed,
    is_recommended,
    source
from estimators
order by position
