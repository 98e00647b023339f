-- One row per pooled run and estimator by a measure that is not a sum over documents.
with

expected as (

    select
        scores.*,
        runs.organization
    from expected_scores($collection, $measure) as scores
    inner join dim_runs as runs on runs.collection_id = $collection and scores.run_id = runs.run_id
    where scores.is_pooled

),

condensed as (

    select run_id, score
    from run_scores(
        $collection, $measure, judgement_set := 'without_organization', unjudged := 'condensed'
    )

),

estimates as (

    select run_id, 'unadjusted' as estimator, unpooled_score as estimate from expected
    union all
    select run_id, 'condensed', score from condensed
    union all
    select run_id, 'expected_relevance', if_pooled from expected

)

select
    $collection as collection_id,
    expected.organization,
    expected.run_id,
    $measure as measure,
    estimates.estimator,
    estimates.estimate,
    expected.true_score,
    case when estimates.estimator = 'expected_relevance' then (expected.if_pooled_68_high - expected.if_pooled_68_low) / 2 end
        as half_width_68,
    case when estimates.estimator = 'expected_relevance' then (expected.if_pooled_95_high - expected.if_pooled_95_low) / 2 end
        as half_width_95
from expected
inner join estimates on expected.run_id = estimates.run_id
order by all
