-- One row per rule of a collection that has a figure.
select rule_id, figure
from audit_verdicts
where
    collection_id = $collection
    and figure is not null
