-- One row per band of a share: the distance of the figures from those of all pooled runs (median, 5 to 95 %), and the
-- draws with the outcome of all runs, those that fail where all runs do not, and those with a better outcome.
with

draws as (

    select *, case $by when 'loaded' then 100 * loaded else pool_explains end as share
    from drawn

),

figures as (

    unpivot (select source as collection_id, share, unjudged_left_out, change_left_out, order_left_out from draws)
    on unjudged_left_out, change_left_out, order_left_out
    into name rule_id value figure

),

outcomes as (

    select
        figures.rule_id,
        list_max(list_filter($edges, lambda edge: edge <= figures.share)) as band,
        case
            when figures.rule_id = 'order_left_out' then figures.figure - verdicts.figure
            else figures.figure / verdicts.figure
        end as distance,
        case
            when sign * figures.figure < sign * verdicts.fails_at then 'fails'
            when sign * figures.figure < sign * verdicts.passes_at then 'passes with care'
            else 'passes'
        end as outcome,
        verdicts.outcome as outcome_of_all
    from figures
    inner join (
        select *, case is_better when 'higher' then 1 else -1 end as sign from audit_verdicts
    ) as verdicts using (collection_id, rule_id)

),

-- one row per band and rule, in words
told as (

    select
        band,
        rule_id,
        count(*) as n_draws,
        format(
            '{:.2f} ({:.2f} to {:.2f}); {:.0f} %; {:.1f} %; {:.1f} %',
            median(distance), quantile_cont(distance, .05), quantile_cont(distance, .95),
            100 * avg(cast(outcome = outcome_of_all as integer)),
            100 * avg(cast(outcome = 'fails' and outcome_of_all <> 'fails' as integer)),
            100 * avg(cast(
                outcome <> outcome_of_all and (outcome = 'passes' or outcome_of_all = 'fails') as integer
            ))
        ) as words
    from outcomes
    group by all

)

select
    band as "from %",
    max(n_draws) as draws,
    max(words) filter (where rule_id = 'unjudged_left_out') as unjudged_left_out,
    max(words) filter (where rule_id = 'change_left_out') as change_left_out,
    max(words) filter (where rule_id = 'order_left_out') as order_left_out
from told
group by band
order by band
