{{ config(arguments=['compared']) }}
{#-
    How well leaderboards agree with the true ones. `compared` is the name of a relation of leaderboard, run_id, score and
    true_score. No figure depends on the names of runs, and none is known of a leaderboard on which all runs are tied.

    tau_AP weighs the top more (Yilmaz, Aslam & Robertson 2008, equation 3): of the runs above each run, the share that the
    true leaderboard has above it, too. A run with the same score is above it in half of the orders, and agrees in half of
    these. A run with the same true score does not count.

    RBO is the extrapolated overlap of Webber, Moffat & Zobel 2010, section 4.2: two lists of the same runs overlap wholly
    at their end. Tied runs share the first of their places, so that a top may be larger than its depth (section 4.3).
-#}
{%- set persistence = 0.9 %}

with

-- one row per leaderboard and run, with its place in both lists; tied runs share the first of their places
placed as (

    select
        *,
        rank() over (partition by leaderboard order by score desc) as place,
        rank() over (partition by leaderboard order by true_score desc) as true_place
    from (
        select
            leaderboard,
            run_id,
            {{ comparable('score') }} as score,
            {{ comparable('true_score') }} as true_score
        from query_table(compared)
    ) as rounded

),

-- one row per leaderboard and ordered pair of runs: the order of both by either list
ordered_pairs as (

    select
        one.leaderboard,
        one.run_id,
        sign(one.score - other.score) as score_order,
        sign(one.true_score - other.true_score) as true_order
    from placed as one
    inner join placed as other
        on
            one.leaderboard = other.leaderboard
            and one.run_id <> other.run_id

),

-- one row per leaderboard: Kendall's tau-b
taus as (

    select
        leaderboard,
        {{ kendall_tau_b(
            'sum(score_order * true_order)', 'sum(abs(score_order))', 'sum(abs(true_order))'
        ) }} as kendall_tau
    from ordered_pairs
    group by leaderboard

),

-- one row per leaderboard and run with another one above it: how far the runs above it are truly above it, from -1 to 1
agreements_above as (

    select
        leaderboard,
        run_id,
        sum(-true_order) filter (where score_order < 0)
        / sum(case when score_order < 0 then 1 else 0.5 end) as agreement
    from ordered_pairs
    where
        score_order <= 0
        and true_order <> 0
    group by all

),

taus_ap as (

    select
        leaderboard,
        avg(coalesce(agreement, 0)) as tau_ap
    from agreements_above
    group by leaderboard

),

-- one row per leaderboard and depth at which a run enters a top, or both tops for the first time
entered as (

    {% for depth, name in [
        ('place', 'n_found'), ('true_place', 'n_true'), ('greatest(place, true_place)', 'n_shared')
    ] %}
        select
            leaderboard,
            {{ depth }} as depth,
            count(*) as {{ name }}
        from placed
        group by all
        {{ 'union all by name' if not loop.last }}
    {% endfor %}

),

-- one row per leaderboard and depth: the overlap of the tops
shared_tops as (

    select
        depths.leaderboard,
        depths.depth,
        2 * sum(coalesce(entered.n_shared, 0))
        / sum(coalesce(entered.n_found, 0) + coalesce(entered.n_true, 0)) as overlap
    from (
        select
            leaderboard,
            unnest(range(1, count(*) + 1)) as depth
        from placed
        group by leaderboard
    ) as depths
    inner join entered
        on
            depths.leaderboard = entered.leaderboard
            and depths.depth >= entered.depth
    group by all

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

-- one row per leaderboard; where all runs are tied, nothing is known of their order
agreement as (

    select
        rbos.leaderboard,
        rbos.n_runs,
        taus.kendall_tau,
        case when taus.kendall_tau is not null then taus_ap.tau_ap end as tau_ap,
        case when taus.kendall_tau is not null then rbos.rbo end as rbo
    from rbos
    left join taus using (leaderboard)
    left join taus_ap using (leaderboard)

)

select * from agreement
