with

{{ imports('int_estimators') }}

select
    estimator,
    position,
    title,
    needs,
    has_condensed,
    is_recommended,
    is_on_leaderboard,
    source
from estimators
order by position
