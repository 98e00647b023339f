{#-
    How well leaderboards agree with the true ones, as CTEs whose last one is `leaderboard_agreement`, with one row per
    leaderboard. They read `compared_scores`: leaderboard, run_id, score and true_score. `top` is how many of the truly
    best runs have a tau of their own. Runs with the same score have an order by name in both lists, except for tau-b.

    tau_AP weighs the top more (Yilmaz, Aslam & Robertson 2008, equation 3): of the runs above each run, the share that the
    true leaderboard has above it, too. RBO is the extrapolated overlap of Webber, Moffat & Zobel 2010, section 4.2: two
    lists of the same runs overlap wholly at their end.
-#}
{% macro leaderboard_agreement(top) -%}
{%- set persistence = 0.9 -%}
-- one row per leaderboard and run, with its place in both lists
placed as (

    select
        leaderboard,
        run_id,
        {{ comparable('score') }} as score,
        {{ comparable('true_score') }} as true_score,
        row_number() over (partition by leaderboard order by {{ comparable('score') }} desc, run_id asc) as place,
        row_number() over (partition by leaderboard order by {{ comparable('true_score') }} desc, run_id asc)
            as true_place
    from compared_scores

),

-- one row per leaderboard and ordered pair of runs: the order of both by either list
ordered_pairs as (

    select
        one.leaderboard,
        one.place,
        other.place < one.place as is_above,
        other.true_place < one.true_place as is_truly_above,
        one.true_place <= {{ top }} and other.true_place <= {{ top }} as is_of_top,
        sign(one.score - other.score) as score_order,
        sign(one.true_score - other.true_score) as true_order
    from placed as one
    inner join placed as other
        on
            one.leaderboard = other.leaderboard
            and one.run_id <> other.run_id

),

-- one row per leaderboard: Kendall's tau-b, of all runs and of the truly best
taus as (

    select
        leaderboard,
        {{ kendall_tau_b(
            'sum(score_order * true_order)',
            'sum(abs(score_order))',
            'sum(abs(true_order))'
        ) }} as kendall_tau,
        {{ kendall_tau_b(
            'sum(score_order * true_order) filter (where is_of_top)',
            'sum(abs(score_order)) filter (where is_of_top)',
            'sum(abs(true_order)) filter (where is_of_top)'
        ) }} as kendall_tau_of_top
    from ordered_pairs
    group by leaderboard

),

-- one row per leaderboard and place except the first: the share of the runs above it that are truly above it
shares_above as (

    select
        leaderboard,
        place,
        count(*) filter (where is_above and is_truly_above) / (place - 1) as share
    from ordered_pairs
    where place > 1
    group by
        leaderboard,
        place

),

taus_ap as (

    select
        leaderboard,
        2 * avg(share) - 1 as tau_ap
    from shares_above
    group by leaderboard

),

-- one row per leaderboard and depth at which a run is in both tops for the first time
first_shared as (

    select
        leaderboard,
        greatest(place, true_place) as depth,
        count(*) as n_first
    from placed
    group by
        leaderboard,
        depth

),

-- one row per leaderboard and depth: the overlap of the tops
shared_tops as (

    select
        depths.leaderboard,
        depths.place as depth,
        sum(coalesce(first_shared.n_first, 0)) over (partition by depths.leaderboard order by depths.place)
        / depths.place as overlap
    from placed as depths
    left join first_shared
        on
            depths.leaderboard = first_shared.leaderboard
            and depths.place = first_shared.depth

),

rbos as (

    select
        leaderboard,
        (1 - {{ persistence }}) / {{ persistence }} * sum(overlap * pow({{ persistence }}, depth))
        + pow({{ persistence }}, max(depth)) as rbo,
        cast(count(*) as integer) as n_runs
    from shared_tops
    group by leaderboard

),

-- one row per leaderboard; a single run has no pair, and so no tau
leaderboard_agreement as (

    select
        rbos.leaderboard,
        rbos.n_runs,
        taus.kendall_tau,
        taus_ap.tau_ap,
        rbos.rbo,
        taus.kendall_tau_of_top
    from rbos
    left join taus on rbos.leaderboard = taus.leaderboard
    left join taus_ap on rbos.leaderboard = taus_ap.leaderboard

)
{%- endmacro %}
