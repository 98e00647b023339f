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
order by
    expected_relevant desc,
    topic_id asc,
    doc_id asc

-- sample: --collection shallow-pool
-- topic_id  doc_id   n_runs  best_rank  highest_probability  expected_relevant
-- ────────────────────────────────────────────────────────────────────────────
-- 214       SP-0484       3         11               0.6828             2.0312
-- 214       SP-0537       3         27               0.6828             2.0312
-- 214       SP-0800       3         20               0.6828             2.0312
-- 214       SP-0814       3         24               0.6828             2.0312
-- 214       SP-1298       3         18               0.6828             2.0312
-- 5 of 4239 rows
