with

collections as (

    select * from {{ ref('int_collections') }}

),

runs as (

    select * from {{ ref('int_runs') }}

),

pooled_states as (

    select * from {{ ref('int_pooled_states') }}

),

judged_topics as (

    select * from {{ ref('int_judged_topics') }}

),

measures as (

    select * from {{ ref('int_measures') }}

),

pool_measures as (

    select * from {{ ref('int_pool_measures') }}
    where pool_key = 0

),

run_scores as (

    select * from {{ ref('int_run_scores') }}
    where {{ is_on_leaderboard() }}

),

recommended_estimators as (

    select * from {{ ref('int_recommended_estimators') }}

),

unpooled_adjustments as (

    select * from {{ ref('int_unpooled_adjustments') }}

),

-- one row per collection
topic_counts as (

    select
        collection_key,
        cast(count(*) as integer) as n_judged_topics
    from judged_topics
    group by collection_key

),

-- one row per run and measure: the estimator, where the run was not pooled and errors could be measured
estimated as (

    select
        run_scores.collection_key,
        run_scores.run_key,
        run_scores.measure,
        run_scores.score_all_topics as score,
        run_scores.n_topics,
        pooled_states.is_pooled,
        case when not pooled_states.is_pooled then recommended_estimators.leaderboard_estimator end as estimator,
        case when not pooled_states.is_pooled then recommended_estimators.leaderboard_mae end as expected_error
    from run_scores
    inner join pool_measures on run_scores.measure = pool_measures.measure
    inner join pooled_states on run_scores.run_key = pooled_states.run_key
    left join recommended_estimators
        on
            run_scores.collection_key = recommended_estimators.collection_key
            and run_scores.measure = recommended_estimators.measure

),

-- the same rows with the adjustment: a mean over the topics that the run answers, converted to all judged topics
adjusted as (

    select
        estimated.*,
        topic_counts.n_judged_topics,
        coalesce(unpooled_adjustments.adjustment, 0) * estimated.n_topics / topic_counts.n_judged_topics as adjustment
    from estimated
    inner join topic_counts on estimated.collection_key = topic_counts.collection_key
    left join unpooled_adjustments
        on
            estimated.run_key = unpooled_adjustments.run_key
            and estimated.measure = unpooled_adjustments.measure
            and estimated.estimator = unpooled_adjustments.estimator

),

named as (

    select
        collections.collection_id,
        adjusted.measure,
        measures.trec_eval_name,
        runs.run_id,
        runs.organization,
        runs.run_type,
        adjusted.is_pooled,
        adjusted.n_topics,
        adjusted.n_judged_topics,
        adjusted.score,
        {{ leaderboard_place('adjusted.score') }} as rank,
        adjusted.estimator,
        adjusted.expected_error,
        adjusted.adjustment,
        adjusted.score + adjusted.adjustment as adjusted_score,
        {{ leaderboard_place('adjusted.score + adjusted.adjustment') }} as adjusted_rank
    from adjusted
    inner join collections on adjusted.collection_key = collections.collection_key
    inner join runs on adjusted.run_key = runs.run_key
    inner join measures on adjusted.measure = measures.measure

)

select * from named
