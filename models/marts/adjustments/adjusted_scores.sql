{{
    config(
        materialized='table_macro',
        arguments=['collection', 'run_table', 'except_run := null'],
        contract={'enforced': false},
    )
}}
-- The arguments are names like those of columns:
-- noqa: disable=RF03,AL09

with

bounds as (

    select * from {{ ref('int_new_run_bounds') }}(collection, run_table)

),

adjustments as (

    select * from {{ ref('int_new_run_adjustments') }}(collection, run_table)

),

experiments as (

    select * from {{ ref('int_experiments') }}
    where pool_key = 0

),

judged_topics as (

    select * from {{ ref('int_judged_topics') }}

),

pool_depths as (

    select * from {{ ref('int_pool_depths') }}

),

runs as (

    select * from {{ ref('int_runs') }}

),

run_scores as (

    select * from {{ ref('int_run_scores') }}
    where
        judgement_set = 'full'
        and unjudged = 'nonrelevant'

),

-- one row per collection
topic_counts as (

    select
        collection_key,
        cast(count(*) as integer) as n_judged_topics
    from judged_topics
    group by collection_key

),

-- one row per measure and estimator: what it adds
adjusted as (

    select
        bounds.*,
        adjustments.estimator,
        cast({{ unless_settled('adjustments.adjustment', 0) }} as double) as adjustment
    from bounds
    inner join adjustments on bounds.measure = adjustments.measure

),

-- the same rows with what that comes to
estimates as (

    select
        *,
        unadjusted_score + adjustment as adjusted_score
    from adjusted

),

-- the other runs' scores, as they are
other_scores as (

    select
        run_scores.collection_key,
        run_scores.measure,
        run_scores.score
    from run_scores
    inner join runs on run_scores.run_key = runs.run_key
    where
        run_scores.score is not null
        and runs.run_id is distinct from except_run

),

-- the same rows as estimates, with the place that each would have among the other runs
ranked as (

    select
        estimates.measure,
        estimates.estimator,
        {{ would_be_rank_columns('estimates.adjusted_score', 'other_scores.score') }}
    from estimates
    left join other_scores
        on
            estimates.collection_key = other_scores.collection_key
            and estimates.measure = other_scores.measure
    group by
        estimates.measure,
        estimates.estimator

),

named as (

    select
        collection as collection_id,
        estimates.measure,
        'nonrelevant' as unjudged,
        estimates.estimator,
        estimates.n_topics,
        topic_counts.n_judged_topics,
        estimates.n_top_documents,
        estimates.n_unjudged,
        estimates.lower_bound,
        estimates.upper_bound,
        estimates.unadjusted_score,
        estimates.adjustment,
        estimates.adjusted_score,
        {{ is_outside_bounds('estimates.adjusted_score', 'estimates.lower_bound', 'estimates.upper_bound') }}
            as is_outside_bounds,
        ranked.would_be_rank,
        ranked.n_ranked,
        experiments.cutoff > pool_depths.pool_depth as beyond_pool_depth
    from estimates
    inner join experiments on estimates.measure = experiments.measure
    inner join pool_depths on estimates.collection_key = pool_depths.collection_key
    inner join topic_counts on estimates.collection_key = topic_counts.collection_key
    inner join ranked
        on
            estimates.measure = ranked.measure
            and estimates.estimator = ranked.estimator

)

select * from named
