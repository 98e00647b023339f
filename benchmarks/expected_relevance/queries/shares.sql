-- One row per class of the share of P@5, P@10, P@20 and RBP that is unjudged: errors and coverage over all collections.
with

errors as (

    select
        rows.*,
        estimate - true_score as error,
        unjudged_weight / case measure when 'RBP(p=0.8)@10' then 1 - pow(0.8, 10) else 1 end as share
    from rows
    where
        measure in ('P@5', 'P@10', 'P@20', 'RBP(p=0.8)@10')
        and estimator in ('unadjusted', 'expected_relevance', 'webber_park_systems')
        and unjudged_weight > 1e-9

),

classes as (

    select
        *,
        len(list_filter([0.05, 0.2, 0.4, 0.6, 0.8], lambda edge : edge < share)) as class
    from errors

)

select
    regexp_matches(collection_id, '^(TREC|DL)') as is_archive,
    [0, 0.05, 0.2, 0.4, 0.6, 0.8][class + 1] as share_above,
    count(*) filter (where estimator = 'expected_relevance') as n,
    avg(abs(error)) filter (where estimator = 'unadjusted') as unadjusted,
    avg(abs(error)) filter (where estimator = 'webber_park_systems') as webber_park,
    avg(abs(error)) filter (where estimator = 'expected_relevance') as expected_relevance,
    avg(error) filter (where estimator = 'expected_relevance') as mean_error,
    avg(cast(abs(error) <= half_width_68 + 1e-9 as integer)) as coverage_68,
    avg(cast(abs(error) <= half_width_95 + 1e-9 as integer)) as coverage_95
from classes
group by all
order by all
