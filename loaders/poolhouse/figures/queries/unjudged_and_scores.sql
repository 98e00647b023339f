-- One row per run: its score by the main measure, and the share of unjudged documents among its first ten.
select
    leaderboard.collection_id,
    scores.measure,
    leaderboard.run_id,
    leaderboard.organization,
    case leaderboard.is_pooled when true then 'pooled' when false then 'not pooled' else 'not known' end as runs,
    leaderboard.rank,
    scores.score_all_topics as score,
    leaderboard.unjudged_10
from leaderboard
inner join dim_collections as collections on leaderboard.collection_id = collections.collection_id
inner join fct_run_scores as scores
    on
        leaderboard.collection_id = scores.collection_id
        and leaderboard.run_id = scores.run_id
        and collections.main_measure = scores.measure
where
    list_contains($collections, leaderboard.collection_id)
    and scores.judgement_set = 'full'
    and scores.unjudged = 'nonrelevant'
    and leaderboard.unjudged_10 is not null
order by
    leaderboard.rank,
    leaderboard.run_id
