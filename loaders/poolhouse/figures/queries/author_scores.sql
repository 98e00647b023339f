-- One row per author that is compared with the reference, and run: the score by the main measure, beside that by the reference; the
-- runs that move most come first.
with

-- a column of a leaderboard has the name of its measure in lower case, with _ for @
boards as (

    unpivot (from author_leaderboard($collection))
    on columns(* exclude (
        collection_id, author, rank, run_id, organization, run_type, is_pooled, n_topics, n_judged_topics, unjudged_10
    ))
    into name measure_column value score

),

scores as (

    select
        boards.*,
        collections.main_measure as measure
    from boards
    inner join dim_collections as collections
        on
            boards.collection_id = collections.collection_id
            and boards.measure_column = lower(replace(collections.main_measure, '@', '_'))

)

select
    scores.measure,
    scores.author,
    scores.run_id,
    scores.organization,
    scores.run_type,
    scores.score,
    reference_scores.score as reference_score,
    scores.rank,
    reference_scores.rank as reference_rank,
    reference_scores.rank - scores.rank as places_won
from scores
inner join scores as reference_scores on scores.run_id = reference_scores.run_id
inner join dim_authors as reference_authors
    on
        reference_scores.collection_id = reference_authors.collection_id
        and reference_scores.author = reference_authors.author
        and reference_authors.is_reference
inner join dim_authors as authors
    on
        scores.collection_id = authors.collection_id
        and scores.author = authors.author
        and authors.is_compared
order by
    abs(places_won) desc,
    scores.author,
    scores.run_id
