-- question: Which scores differ between trec_eval 9 and 10?
-- about: runs
--
-- The runs whose scores differ most between the two versions, and why: the run
-- has documents that are tied as 32-bit floats and not as doubles, or a recall
-- level asks for another number of relevant documents.
--
-- parameter: collection
with

differing as (

    select * from audits.audit_trec_eval_versions
    where collection_id = $collection

)

select * exclude (collection_id, largest_difference) from differing
order by
    abs(trec_eval_10_score - trec_eval_9_score) desc,
    run_id asc,
    measure asc

-- sample: --collection odd-one-out
--                     trec_eval_9_  trec_eval_10_  n_differing_
-- run_id   measure           score          score        topics  reasons
-- ────────────────────────────────────────────────────────────────────────────
-- egret1   IPrec@0.1        0.5963         0.6530             4  recall levels
-- robin1   IPrec@0.2        0.5220         0.5770             7  recall levels
-- egret2   IPrec@0.1        0.6675         0.7208             5  recall levels
-- plover1  IPrec@0.1        0.6086         0.6591             6  recall levels
-- crane1   IPrec@0.1        0.5748         0.6252             5  recall levels
-- 5 of 132 rows
