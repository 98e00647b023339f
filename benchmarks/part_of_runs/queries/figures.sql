-- One row: the figures of the verdict by the drawn runs `runs`, and those of the same runs in the whole pool.
with

shared as (

    select
        100 * count(distinct (contributed.topic_key, contributed.doc_key))
            filter (where contributed.is_relevant is not null)
        / getvariable('n_judged') as pool_explains,
        count(distinct (contributed.topic_key, contributed.doc_key)) * count(distinct contributed.organization_key)
        / count(distinct (contributed.topic_key, contributed.doc_key, contributed.organization_key)) as diversity
    from contributed
    semi join runs using (run_key)

),

-- each run with every run of another organization: which of the two is ahead
places as (

    select
        runs.run_key,
        sign(runs.ap - rivals.ap) as place,
        sign(runs.ap_left_out - rivals.ap) as left_out,
        sign(runs.ap_left_out_whole - rivals.ap) as left_out_whole
    from runs
    inner join runs as rivals on runs.organization_key <> rivals.organization_key

),

falls as (

    select 100 * (count(*) filter (where left_out < 0) - count(*) filter (where place < 0)) / count(*) as fall
    from places
    group by run_key

),

-- from ten pairs on, the order is told
orders as (

    select
        case
            when count_if(place <> 0) >= 20
                then sum(place * left_out) / sqrt(count_if(place <> 0) * count_if(left_out <> 0))
        end as tau,
        case
            when count_if(place <> 0) >= 20
                then sum(place * left_out_whole) / sqrt(count_if(place <> 0) * count_if(left_out_whole <> 0))
        end as tau_whole
    from places

),

changes as (

    select
        avg(100 * abs(ap - ap_left_out) / ap) as mean_change,
        max(100 * abs(ap - ap_left_out) / ap) as largest_change,
        avg(100 * abs(ap - ap_left_out_whole) / ap) as mean_change_whole
    from runs
    where ap >= .05

)

select
    count(*) as n_runs,
    count(distinct runs.organization_key) as n_organizations,
    any_value(shared.pool_explains) as pool_explains,
    cast(100 * sum(runs.n_unjudged) / sum(runs.n_documents) as double) as unjudged_left_out,
    any_value(changes.mean_change) as change_left_out,
    any_value(changes.largest_change) as largest_unique_change,
    any_value(orders.tau) as order_left_out,
    (select max(fall) from falls) as largest_fall,
    any_value(shared.diversity) as diversity,
    cast(100 * sum(runs.n_unjudged_whole) / sum(runs.n_documents) as double) as unjudged_of_same_runs,
    any_value(changes.mean_change_whole) as change_of_same_runs,
    any_value(orders.tau_whole) as order_of_same_runs,
    count(*) filter (where runs.n_unjudged < runs.n_unjudged_whole) as n_below
from runs
cross join shared
cross join changes
cross join orders
