-- question: Which unjudged documents should be judged next?
-- about: judgements
--
-- The unjudged documents of the runs that were not pooled, down to the pool
-- depth. First come those that could tell most about the runs: many runs
-- return them, and they are probably relevant. `expected_relevant` adds up the
-- probabilities over these runs. There is no row where every run was pooled.
--
-- parameter: collection
with

unjudged as (

    select * from fct_expected_relevance
    where
        collection_id = $collection
        and not is_pooled

),

documents as (

    select
        topic_id,
        doc_id,
        count(*) as n_runs,
        min(rank) as best_rank,
        max(probability) as highest_probability,
        sum(probability) as expected_relevant
    from unjudged
    group by
        topic_id,
        doc_id

)

select * from documents
-- Equal sums may differ in their last digit, by the order of their addends.
order by
    round(expected_relevant, 9) desc,
    topic_id asc,
    doc_id asc

-- sample: --collection shallow-pool
-- topic_id  doc_id   n_runs  best_rank  highest_probability  expected_relevant
-- ────────────────────────────────────────────────────────────────────────────
-- 214       SP-0389       3         36               0.7218             2.0631
-- 214       SP-0530       3         45               0.7218             2.0631
-- 214       SP-1638       3         27               0.7218             2.0631
-- 214       SP-0563       3         13               0.7218             2.0618
-- 214       SP-2640       3         12               0.7218             2.0618
-- 5 of 4239 rows
