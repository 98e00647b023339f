-- question: How much of unpooled runs' top ten is unjudged?
-- about: judgements
--
-- The share of unjudged documents among the first ten of each run, the highest
-- first, beside the share of the pooled runs. Each unjudged document counts as
-- not relevant, so a high share means that the score is too low. There is no
-- row where every run was pooled.
--
-- parameter: collection
with

leaderboard as (

    select * from leaderboard
    where collection_id = $collection

),

-- one row
pooled as (

    select avg(unjudged_10) as unjudged_10
    from leaderboard
    where is_pooled

),

-- one row per run that was not pooled
unpooled as (

    select
        leaderboard.run_id,
        leaderboard.organization,
        leaderboard.rank,
        leaderboard.p_10,
        leaderboard.unjudged_10,
        pooled.unjudged_10 as unjudged_10_of_pooled
    from leaderboard
    cross join pooled
    where not leaderboard.is_pooled

)

select * from unpooled
order by
    unjudged_10 desc,
    rank asc,
    run_id asc

-- sample: --collection shallow-pool
--                                                   unjudged_10_of_
-- run_id   organization  rank    p_10  unjudged_10           pooled
-- ─────────────────────────────────────────────────────────────────
-- jasper1  jasper          11  0.4600       0.3067           0.0000
-- jasper2  jasper           8  0.5367       0.2167           0.0000
-- agate3   agate            5  0.5367       0.1333           0.0000
