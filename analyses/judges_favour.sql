-- question: Whom does another author of judgements favour?
-- about: trust
--
-- The mean number of places that the runs of an organization win by the author,
-- beside the reference. The interval comes from samples of topics; an interval
-- that includes 0 may be chance. Look first at organizations whose runs use the
-- language model that judged: `author_run_changes` has `says_it_uses_model` for
-- each run.
--
-- parameter: collection
-- parameter: measure = 'nDCG@10'
with

favours as (

    select * from author_favours($collection, $measure)
    where grouped_by = 'organization'

)

select
    author,
    group_name as organization,
    n_runs,
    places_won,
    bootstrap_95_low,
    bootstrap_95_high
from favours
where bootstrap_95_low is not null
order by
    abs(places_won) desc,
    author asc,
    organization asc

-- sample: --collection shallow-pool
-- author  organization  n_runs  places_won  bootstrap_95_low  bootstrap_95_high
-- ─────────────────────────────────────────────────────────────────────────────
-- model   flint              2      1.0000           -0.5000             3.0000
-- model   garnet             1     -1.0000           -5.0000             0.0000
-- model   jasper             2     -0.5000           -2.0000             0.5000
-- model   agate              3      0.0000           -0.3417             1.6667
-- model   beryl              2      0.0000           -1.0000             1.0000
-- 5 of 6 rows
