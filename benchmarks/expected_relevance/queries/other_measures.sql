-- One row per pooled run and estimator by a measure that is not a sum over documents. Webber and Park's estimator is of
-- first order here: the mean loss of the runs of other organizations, each withdrawn alone from the whole pool.
with

expected as (

    select
        scores.*,
        runs.organization
    from expected_scores($collection, $measure) as scores
    inner join dim_runs as runs on runs.collection_id = $collection and scores.run_id = runs.run_id
    where scores.is_pooled

),

losses as (

    select
        full_scores.run_id,
        full_scores.score - without_run.score as loss
    from run_scores($collection, $measure) as full_scores
    inner join run_scores($collection, $measure, judgement_set := 'without_run') as without_run
        on full_scores.run_id = without_run.run_id

),

webber_park as (

    select
        expected.run_id,
        avg(losses.loss) as adjustment
    from expected
    inner join expected as others on expected.organization <> others.organization
    inner join losses on others.run_id = losses.run_id
    group by expected.run_id

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
    select expected.run_id, 'webber_park_systems', unpooled_score + adjustment
    from expected
    inner join webber_park on expected.run_id = webber_park.run_id
    union all
    select run_id, 'expected_relevance', expected_score from expected

)

select
    $collection as collection_id,
    expected.organization,
    expected.run_id,
    $measure as measure,
    estimates.estimator,
    estimates.estimate,
    expected.true_score,
    case when estimates.estimator = 'expected_relevance' then expected.t_68_high - expected.expected_score end
        as half_width_68,
    case when estimates.estimator = 'expected_relevance' then expected.t_95_high - expected.expected_score end
        as half_width_95
from expected
inner join estimates on expected.run_id = estimates.run_id
order by all
