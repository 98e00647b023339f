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
