-- question: Who moves when unjudged documents are left out?
-- about: judgements
--
-- Places by AP with unjudged documents as not relevant, and on condensed lists, which leave them out. The two
-- err in opposite directions: the first wrongs runs with much unjudged, the second favours them. A winner by both is safer.
--
-- parameter: collection
-- parameter: measure = 'AP'
with

scores as (

    select * from run_scores($collection, $measure)

),

condensed_scores as (

    select * from run_scores($collection, $measure, unjudged := 'condensed')

),

leaderboard as (

    select * from leaderboard
    where collection_id = $collection

),

-- one row per run
placed as (

    select
        scores.run_id,
        leaderboard.is_pooled,
        leaderboard.unjudged_10,
        rank() over (order by scores.score_all_topics desc) as place,
        rank() over (order by condensed_scores.score_all_topics desc) as condensed_place
    from scores
    inner join condensed_scores on scores.run_id = condensed_scores.run_id
    inner join leaderboard on scores.run_id = leaderboard.run_id

)

select * from placed
order by
    abs(place - condensed_place) desc,
    place,
    run_id

-- sample: --collection shallow-pool
