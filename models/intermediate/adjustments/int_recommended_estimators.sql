with

{{ imports('int_run_residuals', 'int_pooled_runs', 'int_judged_topics') }},

estimator_errors as (

    select * from {{ ref('int_estimator_errors') }}
    where
        level = 'organization'
        and pool_key = 0
        and unjudged = 'nonrelevant'

),

estimators as (

    select * from {{ ref('estimators') }}
    where is_on_leaderboard

),

-- one row per collection with pooled runs of several organizations: only there can one organization be left out
pools as (

    select
        collection_key,
        count(distinct organization_key) as n_organizations
    from pooled_runs
    group by collection_key
    having count(distinct organization_key) > 1

),

topic_counts as (

    select
        collection_key,
        count(*) as n_topics
    from judged_topics
    group by collection_key

),

-- one row per collection and measure: the mean unjudged weight, down to the pool depth, of a pooled run whose
-- organization was left out
residuals as (

    select
        run_residuals.collection_key,
        run_residuals.measure,
        -- the last digits of a mean depend on the order of the rows
        {{ comparable('avg(run_residuals.residual_if_pooled)') }} as mean_residual
    from run_residuals
    inner join pooled_runs on run_residuals.run_key = pooled_runs.run_key
    group by all

),

-- one row per collection and measure: the estimator with the lowest error of estimates inside their bounds; of
-- equal ones, the simpler one
recommended as (

    select
        estimator_errors.collection_key,
        estimator_errors.measure,
        arg_min(
            estimator_errors.estimator, ({{ comparable('estimator_errors.clipped_mae') }}, estimators.position)
        ) as estimator,
        arg_min(
            estimator_errors.clipped_mae, ({{ comparable('estimator_errors.clipped_mae') }}, estimators.position)
        ) as mae,
        max(estimator_errors.clipped_mae) filter (where estimator_errors.estimator = 'unadjusted') as unadjusted_mae,
        max(estimator_errors.n_runs) as n_runs
    from estimator_errors
    inner join estimators on estimator_errors.estimator = estimators.estimator
    group by all

),

described as (

    select
        recommended.*,
        pools.n_organizations,
        topic_counts.n_topics,
        residuals.mean_residual
    from recommended
    inner join pools on recommended.collection_key = pools.collection_key
    inner join topic_counts on recommended.collection_key = topic_counts.collection_key
    inner join residuals
        on
            recommended.collection_key = residuals.collection_key
            and recommended.measure = residuals.measure

)

select * from described
