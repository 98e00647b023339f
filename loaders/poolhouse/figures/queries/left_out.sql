-- One row per pooled run: its score and place by all judgements, and without the documents that its organization alone
-- contributed. Its place without them is its place among the scores of the other organizations' runs by all judgements.
with

scores as (

    select
        scores.collection_id,
        runs.run_id,
        runs.organization,
        runs.is_pooled,
        scores.judgement_set,
        scores.measure,
        -- rounded, because rounding errors of sums would decide places
        round(scores.score_all_topics, 9) as score
    from fct_run_scores as scores
    inner join dim_runs as runs
        on
            scores.collection_id = runs.collection_id
            and scores.run_id = runs.run_id
    where
        list_contains($collections, scores.collection_id)
        and scores.unjudged = 'nonrelevant'
        and scores.judgement_set in ('full', 'without_organization')
        and scores.measure in ('AP', 'P@10', 'nDCG@10', 'RR', 'Rprec', 'Bpref')

),

-- one row per pooled run and measure
side_by_side as (

    select
        kept.collection_id,
        kept.run_id,
        kept.organization,
        kept.measure,
        kept.score,
        left_out.score as score_left_out
    from scores as kept
    inner join scores as left_out
        on
            kept.collection_id = left_out.collection_id
            and kept.run_id = left_out.run_id
            and kept.measure = left_out.measure
            and left_out.judgement_set = 'without_organization'
    where
        kept.judgement_set = 'full'
        and kept.is_pooled

),

-- the same, with places among the runs of the other organizations
placed as (

    select
        side_by_side.collection_id,
        side_by_side.measure,
        side_by_side.run_id,
        side_by_side.organization,
        side_by_side.score,
        side_by_side.score_left_out,
        1 + count(*) filter (where others.score > side_by_side.score) as place,
        1 + count(*) filter (where others.score > side_by_side.score_left_out) as place_left_out
    from side_by_side
    left join scores as others
        on
            side_by_side.collection_id = others.collection_id
            and side_by_side.measure = others.measure
            and others.judgement_set = 'full'
            and side_by_side.organization <> others.organization
    group by all

)

select
    *,
    score_left_out - score as change,
    place_left_out - place as places_lost
from placed
order by
    places_lost desc,
    change,
    measure,
    run_id
