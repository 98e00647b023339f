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

rankings as (

    select * from {{ ref('int_new_run_rankings') }}(collection, run_table)

),

scores as (

    select * from {{ ref('int_new_run_scores') }}(collection, run_table)
    where judged_by = 'qrels'

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

-- one row per measure: the measure of what is unjudged
residuals (measure, residual) as (

    values
    {% for measure in bias_measures() %}
        ('{{ measure.id }}', '{{ measure.residual }}'){{ ',' if not loop.last }}
    {% endfor %}

),

-- one row per measure: documents down to its cutoff, and those that the qrels do not judge
top_documents as (

    select
        experiments.measure,
        cast(count(*) as integer) as n_top_documents,
        cast(count(*) filter (where rankings.is_relevant is null) as integer) as n_unjudged
    from rankings
    inner join experiments on rankings.rank <= experiments.cutoff
    group by experiments.measure

),

-- one row per collection
topic_counts as (

    select
        collection_key,
        cast(count(*) as integer) as n_judged_topics
    from judged_topics
    group by collection_key

),

-- one row per measure: what the run has without any estimate, and what it can have at most
bounded as (

    select
        scores.collection_key,
        scores.measure,
        scores.n_topics,
        scores.score as unadjusted_score,
        scores.score + residuals_of.score as upper_bound
    from scores
    inner join residuals on scores.measure = residuals.measure
    inner join scores as residuals_of on residuals.residual = residuals_of.measure

),

-- one row per measure and estimator
estimates as (

    select
        bounded.*,
        adjustments.estimator,
        cast(adjustments.adjustment as double) as adjustment,
        bounded.unadjusted_score + adjustments.adjustment as adjusted_score
    from bounded
    inner join adjustments on bounded.measure = adjustments.measure

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
        top_documents.n_top_documents,
        top_documents.n_unjudged,
        estimates.unadjusted_score as lower_bound,
        estimates.upper_bound,
        estimates.unadjusted_score,
        estimates.adjustment,
        estimates.adjusted_score,
        ranked.would_be_rank,
        ranked.n_ranked,
        experiments.cutoff > pool_depths.pool_depth as beyond_pool_depth
    from estimates
    inner join experiments on estimates.measure = experiments.measure
    inner join pool_depths on estimates.collection_key = pool_depths.collection_key
    inner join topic_counts on estimates.collection_key = topic_counts.collection_key
    inner join top_documents on estimates.measure = top_documents.measure
    inner join ranked
        on
            estimates.measure = ranked.measure
            and estimates.estimator = ranked.estimator

)

select * from named
