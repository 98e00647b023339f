-- One row per author of judgements that is compared with the reference: what its labels may be used for, and the figures
-- behind that. No rows where the collection has one author.
select
    author,
    verdict,
    failures,
    cautions,
    not_told,
    model,
    measure,
    n_common,
    share_of_reference,
    kappa,
    kappa_low,
    kappa_high,
    kappa_judged_twice,
    kappa_of_persons,
    kappa_of_persons_with_reference,
    kendall_tau,
    kendall_tau_low,
    kendall_tau_high,
    kendall_tau_of_best,
    kendall_tau_judged_twice,
    kendall_tau_of_persons_with_reference,
    n_same_direction,
    n_differ_by_reference,
    n_differ
from audit_authors
where collection_id = $collection
order by
    kind is not distinct from 'person',
    kendall_tau desc nulls last,
    author
