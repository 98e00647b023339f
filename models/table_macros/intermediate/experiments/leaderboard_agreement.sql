{{ config(arguments=['scores', 'true_scores']) }}
-- How well leaderboards by several measures agree: tables of run_id, measure and score. `compared_scores` is
-- read by its name in a text:
-- noqa: disable=ST03

with

-- one row per measure and run
compared_scores as (

    select
        found.measure as leaderboard,
        found.run_id,
        found.score,
        true_scores.score as true_score
    from query_table(scores) as found
    inner join query_table(true_scores) as true_scores using (measure, run_id)

),

agreement as (

    select
        leaderboard as measure,
        kendall_tau,
        rbo
    from {{ ref('int_leaderboard_agreement') }}('compared_scores', 10)

)

select * from agreement
