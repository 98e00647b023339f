-- question: Which judgements are worth a second look?
-- about: judgements
--
-- Judgements of the reference that most other authors contradict. Those that
-- many runs return among their first ten matter most. The others may be wrong
-- together: models resemble each other more than they resemble people.
--
-- parameter: collection
with

disputed as (

    select * from fct_disputed_judgements
    where collection_id = $collection

)

select
    topic_id,
    doc_id,
    grade,
    n_contradicting,
    n_others,
    mean_grade_of_others,
    n_runs_at_10
from disputed
order by
    n_runs_at_10 desc,
    n_contradicting desc,
    topic_id asc,
    doc_id asc

-- sample: --collection shallow-pool
--                                      n_            mean_grade_
-- topic_id  doc_id   grade  contradicting  n_others    of_others  n_runs_at_10
-- ────────────────────────────────────────────────────────────────────────────
-- 205       SP-2002      1              1         1       0.0000            11
-- 225       SP-0657      0              1         1       1.0000            10
-- 206       SP-2544      0              1         1       1.0000             9
-- 207       SP-2368      0              1         1       1.0000             9
-- 227       SP-0252      0              1         1       1.0000             9
-- 5 of 172 rows
