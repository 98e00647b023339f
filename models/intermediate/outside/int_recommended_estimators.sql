with

{{ imports(
    'int_run_residuals', 'int_pooled_runs', 'int_pool_parts', 'int_topic_counts', 'int_top_weights',
    'int_adjustments', 'int_estimators where is_on_leaderboard'
) }},

estimator_errors as (

    select * from {{ ref('int_estimator_errors') }}
    where
        level = 'organization'
        and pool_key = 0
        and unjudged = 'nonrelevant'

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

-- one row per collection and measure: the mean unjudged weight, down to the pool depth, of a pooled run whose
-- organization was left out
residuals as (

    select
        run_residuals.collection_key,
        run_residuals.measure,
        -- the last digits of a mean depend on the order of the rows
        {{ comparable('avg(run_residuals.residual_if_pooled)') }} as mean_residual
    from run_residuals
    inner join pooled_runs using (run_key)
    group by all

),

-- one row per collection, measure and estimator: the number of runs outside the pool that have an estimate. An author
-- that labelled too few of their unjudged documents has none for them.
estimates_outside as (

    select
        collection_key,
        measure,
        estimator,
        count(*) as n_estimates
    from adjustments
    anti join pooled_runs using (run_key)
    where
        pool_key = 0
        and unjudged = 'nonrelevant'
    group by all

),

-- the estimators that estimate every run outside the pool
usable as (

    select
        collection_key,
        measure,
        estimator
    from estimates_outside
    qualify n_estimates = max(n_estimates) over (partition by collection_key, measure)

),

-- the errors of estimates inside their bounds: the mean, the mean with its uncertainty, and whether the pool is large
-- enough for the estimator. Estimators that look at no document learn what an organization brought alone, which a part of
-- the pool does not tell.
errors as (

    select
        estimator_errors.collection_key,
        estimator_errors.measure,
        estimator_errors.estimator,
        estimators.position,
        estimator_errors.clipped_mae as mae,
        {{ comparable(
            'estimator_errors.clipped_mae + coalesce(estimator_errors.clipped_mae_standard_error, 0)'
        ) }} as uncertain_mae,
        estimator_errors.n_runs,
        case
            when {{ is_by_labels('estimators.estimator') }} then usable.estimator is not null
            when estimator_errors.estimator = 'expected_relevance'
                then pools.n_organizations >= {{ fewest_organizations() }}
            else pool_parts.is_told
        end as is_usable
    from estimator_errors
    inner join estimators using (estimator)
    inner join pools using (collection_key)
    inner join pool_parts using (collection_key)
    left join usable using (collection_key, measure, estimator)

),

-- one row per collection and measure: the estimator with the lowest error, with its uncertainty; of equal ones, the
-- simpler one
recommended as (

    select
        collection_key,
        measure,
        arg_min(estimator, (uncertain_mae, position)) filter (where is_usable) as estimator,
        arg_min(mae, (uncertain_mae, position)) filter (where is_usable) as mae,
        max(mae) filter (where estimator = 'unadjusted') as unadjusted_mae,
        max(n_runs) as n_runs
    from errors
    group by all
    having count_if(is_usable) > 0

),

-- one row per measure: the weight of the documents down to its cutoff
whole_weights as (

    select
        measure,
        max(weight) as weight
    from top_weights
    group by measure

),

described as (

    select
        recommended.*,
        pools.n_organizations,
        topic_counts.n_judged_topics as n_topics,
        residuals.mean_residual,
        case recommended.estimator
            when 'expected_relevance' then {{ comparable(largest_unjudged_share() ~ ' * whole_weights.weight') }}
            else residuals.mean_residual
        end as largest_residual,
        -- below the pool depth expected relevance alone says something
        case
            when pools.n_organizations >= {{ fewest_organizations() }}
                then {{ comparable(largest_unjudged_share() ~ ' * whole_weights.weight') }}
        end as largest_residual_if_judged
    from recommended
    inner join pools using (collection_key)
    inner join topic_counts using (collection_key)
    inner join residuals using (collection_key, measure)
    inner join whole_weights using (measure)

)

select * from described
