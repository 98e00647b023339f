-- One row per rule of the verdict on the collection. What several rules do not tell for one reason is said once, with
-- the verdict and the list of these rules.
with

rules as (

    select
        *,
        outcome = 'not told' and count(*) over same_finding > 1 as is_shared,
        string_agg(rule_id, ', ' order by position) over same_finding as rule_ids
    from audit_verdicts
    where list_contains($collections, collection_id)
    window same_finding as (partition by collection_id, outcome, finding)

)

select
    collection_id,
    rule_id,
    outcome,
    case when is_shared then 'said with the verdict' else finding end as shown_finding,
    reason,
    source,
    finding,
    case when is_shared then rule_ids end as shared_by
from rules
order by position
