-- One row per rule of the verdict on the collection.
select
    rule_id,
    outcome,
    finding,
    reason,
    source
from audit_verdicts
where collection_id = $collection
order by position
