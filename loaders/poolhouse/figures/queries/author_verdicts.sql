-- One row per author of judgements that is compared with the reference: agreement and order of runs. Where persons judged
-- documents twice, both are about these documents, so that the author stands beside the persons.
select
    author,
    split_part(verdict, ';', 1) as verdict,
    measure,
    coalesce(kappa_judged_twice, kappa) as kappa,
    case when kappa_judged_twice is null then kappa_low end as kappa_low,
    case when kappa_judged_twice is null then kappa_high end as kappa_high,
    coalesce(kendall_tau_judged_twice, kendall_tau) as kendall_tau,
    case when kendall_tau_judged_twice is null then kendall_tau_low end as kendall_tau_low,
    case when kendall_tau_judged_twice is null then kendall_tau_high end as kendall_tau_high,
    kendall_tau_of_best,
    kappa_of_persons_with_reference,
    kendall_tau_of_persons_with_reference,
    rules.fails_at as fails_at,
    rules.passes_at as passes_at
from audit_authors
inner join seeds.author_rules as rules on rules.rule_id = 'order'
where
    collection_id = $collection
    and kendall_tau is not null
order by
    kendall_tau desc,
    author
