-- question: Can I trust this collection for my neural run?
-- about: trust
--
-- A run that searches in another way than the pooled runs returns documents
-- that nobody judged. These are the rules that decide whether the collection is
-- reusable for such runs, each with its finding here. An essential rule that
-- fails decides the verdict (docs/verdicts.md). `poolhouse adjust` computes the
-- effect on your run.
--
-- parameter: collection
with

collections as (

    select * from audit_collections
    where collection_id = $collection

),

rules as (

    select * from audit_verdicts
    where collection_id = $collection

),

findings as (

    select
        rules.position,
        collections.verdict,
        rules.outcome,
        rules.is_essential,
        rules.finding
    from rules
    cross join collections

)

select * from findings
order by position

-- sample: --collection shallow-pool
--                                                 is_
-- position  verdict       outcome           essential  finding
-- ─────────────────────────────────────────────────────────────────────────────
--        1  not reusable  passes                 True  the pool explains 100 %
--                                                      of the judgements
--        2  not reusable  passes with care       True  the pool is 10 documents
--                                                      deep
--        3  not reusable  passes                False  the pool depth is
--                                                      certain to 100 %
--        4  not reusable  fails                  True  without its own
--                                                      organization, 28.33 % of
--                                                      a pooled run's first ten
--                                                      documents would be
--                                                      unjudged on average
--        5  not reusable  fails                 False  21.89 % of the first ten
--                                                      documents of the runs
--                                                      outside the pool are
--                                                      unjudged
-- 5 of 11 rows
