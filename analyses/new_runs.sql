-- question: Can I trust this collection for my neural run?
-- about: trust
--
-- A run that searches otherwise than the pooled ones returns documents that nobody judged. These are the rules by which the
-- collection is called reusable for such runs, or not, with what each found here; an essential rule that fails decides
-- (docs/verdicts.md). `poolhouse adjust` says what it means for your run.
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
