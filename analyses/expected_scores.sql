-- question: What AP is expected of runs outside the pool?
-- about: trust
--
-- The score as it is, and the scores that are expected if the run had been
-- pooled, and if all its documents were judged, with an interval of 95 %. Each
-- unjudged document counts with its probability of relevance
-- (docs/expected_relevance.md). A score may fall, because more relevant
-- documents are expected than are judged. The measure is P@k, RBP, AP, nDCG,
-- RR, ERR, R@k or Bpref, which has no interval.
--
-- parameter: collection
-- parameter: measure = 'AP'
with

scores as (

    select * from expected_scores($collection, $measure)
    where is_pooled is not true

)

select
    run_id,
    unpooled_score as score,
    if_pooled,
    if_judged,
    if_judged_95_low,
    if_judged_95_high
from scores
order by
    if_judged desc,
    run_id asc

-- sample: --collection shallow-pool
--                                        if_judged_95_  if_judged_95_
-- run_id    score  if_pooled  if_judged            low           high
-- ───────────────────────────────────────────────────────────────────
-- jasper2  0.4628     0.5007     0.2068         0.0664         0.4540
-- agate3   0.4964     0.5150     0.1983         0.0677         0.4415
-- jasper1  0.4056     0.4527     0.1814         0.0551         0.4194
