-- question: Does another author order the runs alike?
-- about: trust
--
-- tau-b, tau_AP and RBO compare the order of the runs by each author of
-- judgements with the order by the reference; tau_AP and RBO weigh the best
-- runs more. Of the pairs of runs that differ significantly by the reference
-- (Tukey's test), the author finds `n_same_direction`. `n_only_author` pairs
-- differ by the author alone: it would publish differences that are not there.
-- Any pair of `n_opposite_directions` is a warning.
--
-- parameter: collection
-- parameter: measure = 'nDCG@10'
with

agreement as (

    select * from author_order_agreement($collection, $measure)
    where test = 'tukey'

)

select
    author,
    kendall_tau,
    tau_ap,
    rbo,
    kendall_tau_of_best,
    n_differ_by_reference,
    n_same_direction,
    n_opposite_directions,
    n_differ - n_same_direction - n_opposite_directions as n_only_author
from agreement
order by
    tau_ap desc,
    author asc

-- sample: --collection shallow-pool
-- author                 model
-- kendall_tau            0.8909
-- tau_ap                 0.8798
-- rbo                    0.9594
-- kendall_tau_of_best    0.8667
-- n_differ_by_reference  10
-- n_same_direction       6
-- n_opposite_directions  0
-- n_only_author          5
