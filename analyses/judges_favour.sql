-- question: Whom does another author of judgements favour?
-- about: trust
--
-- The score that the author adds to the runs of an organization, beyond what it
-- gives to runs with the same score by the reference, and its interval over
-- topics. An interval that includes 0 may be chance, and one of twenty excludes
-- it by chance. places_won is the mean number of places that the runs win. Look
-- first at the group of the author's model: its runs name the language model
-- that judged.
--
-- parameter: collection
-- parameter: measure = 'nDCG@10'
with

favours as (

    select * from author_favours($collection, $measure)
    where grouped_by in ('organization', 'model')

)

select
    author,
    group_name,
    n_runs,
    places_won,
    score_won,
    t_95_low,
    t_95_high
from favours
where t_95_low is not null
order by
    abs(score_won) desc,
    author asc,
    group_name asc

-- sample: --collection shallow-pool
-- author  group_name  n_runs  places_won  score_won  t_95_low  t_95_high
-- ──────────────────────────────────────────────────────────────────────
-- model   garnet           1     -1.0000    -0.0284   -0.0496    -0.0073
-- model   jasper           2     -0.5000    -0.0251   -0.0422    -0.0081
-- model   flint            2      1.0000     0.0184   -0.0016     0.0385
-- model   agate            3      0.0000     0.0128  2.85e-05     0.0256
-- model   coral            1      0.0000     0.0015   -0.0220     0.0251
-- 5 of 6 rows
