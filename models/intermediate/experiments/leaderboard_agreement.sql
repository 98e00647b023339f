{{ config(materialized='own_macro', arguments=['scores', 'true_scores']) }}
{%- set persistence = 0.9 %}
-- How well leaderboards agree: tables of run_id, measure and score. RBO is the extrapolated overlap of Webber, Moffat &
-- Zobel 2010, section 4.2, with p = {{ persistence }}: two lists of the same runs overlap wholly at their end.

with

-- one row per measure and run. Runs with the same score have an order by name in both lists.
ranked as (

    select
        found.measure,
        found.run_id,
        {{ comparable('found.score') }} as score,
        {{ comparable('true_scores.score') }} as true_score,
        row_number() over (
            partition by found.measure order by {{ comparable('found.score') }} desc, found.run_id asc
        ) as place,
        row_number() over (
            partition by found.measure order by {{ comparable('true_scores.score') }} desc, found.run_id asc
        ) as true_place
    from query_table(scores) as found
    inner join query_table(true_scores) as true_scores
        on
            found.measure = true_scores.measure
            and found.run_id = true_scores.run_id

),

-- one row per measure: Kendall's tau-b over ordered pairs
taus as (

    select
        one.measure,
        {{ kendall_tau_b(
            'sum(sign(one.score - other.score) * sign(one.true_score - other.true_score))',
            'sum(cast(one.score <> other.score as integer))',
            'sum(cast(one.true_score <> other.true_score as integer))'
        ) }} as kendall_tau
    from ranked as one
    inner join ranked as other on one.measure = other.measure
    group by one.measure

),

-- one row per measure and depth at which a run is in both tops for the first time
first_shared as (

    select
        measure,
        greatest(place, true_place) as depth,
        count(*) as n_first
    from ranked
    group by
        measure,
        depth

),

-- one row per measure and depth: the overlap of the tops
shared_tops as (

    select
        depths.measure,
        depths.place as depth,
        sum(coalesce(first_shared.n_first, 0)) over (partition by depths.measure order by depths.place)
        / depths.place as overlap
    from ranked as depths
    left join first_shared
        on
            depths.measure = first_shared.measure
            and depths.place = first_shared.depth

),

rbos as (

    select
        measure,
        (1 - {{ persistence }}) / {{ persistence }} * sum(overlap * pow({{ persistence }}, depth))
        + pow({{ persistence }}, max(depth)) as rbo
    from shared_tops
    group by measure

),

agreement as (

    select
        taus.measure,
        taus.kendall_tau,
        rbos.rbo
    from taus
    inner join rbos on taus.measure = rbos.measure

)

select * from agreement
