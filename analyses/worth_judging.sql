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
-- 204       SP-1850       3          3               0.4634             1.2091
-- 205       SP-1442       2          6               0.6288             1.1910
-- 203       SP-0715       2          6               0.6217             1.1527
-- 203       SP-2128       2          3               0.6217             1.1527
-- 202       SP-0831       2          5               0.6288             1.1497
-- 5 of 163 rows
