-- One row per author of judgements that is compared with the reference: what its labels may be used for, and why. No rows
-- where the collection has one author.
select
    author,
    verdict,
    failures,
    cautions,
    not_told,
    model,
    measure,
    kappa_of_persons,
    kappa_of_persons_with_reference
from audit_authors
where collection_id = $collection
order by
    kind is not distinct from 'person',
    kendall_tau desc nulls last,
    author
