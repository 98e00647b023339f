-- One row per collection: in how many draws a figure is better than the one of the same runs by the whole pool.
select
    source,
    count(*) as draws,
    cast(sum(n_runs) as integer) as runs,
    cast(sum(n_below) as integer) as runs_with_fewer_unjudged,
    count_if(change_left_out < change_of_same_runs - 1e-6) as smaller_change,
    count_if(order_left_out > order_of_same_runs + 1e-6) as higher_tau
from drawn
group by source
order by source
