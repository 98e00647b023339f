with

estimator_errors as (

    select * from {{ ref('int_estimator_errors') }}
    where
        level = 'organization'
        and pool_key = 0
        and unjudged = 'nonrelevant'

),

estimators as (

    select * from {{ ref('estimators') }}

),

-- one row per collection, measure and estimator: its place by the mean error, among all estimators and among those
-- of the leaderboard; of equal ones, the simpler one comes first
placed as (

    select
        estimator_errors.collection_key,
        estimator_errors.measure,
        estimator_errors.estimator,
        estimators.is_on_leaderboard,
        estimator_errors.n_runs,
        estimator_errors.mae,
        row_number() over (
            partition by estimator_errors.collection_key, estimator_errors.measure
            order by {{ comparable('estimator_errors.mae') }}, estimators.position
        ) as place,
        row_number() over (
            partition by estimator_errors.collection_key, estimator_errors.measure, estimators.is_on_leaderboard
            order by {{ comparable('estimator_errors.mae') }}, estimators.position
        ) as place_on_leaderboard
    from estimator_errors
    inner join estimators on estimator_errors.estimator = estimators.estimator

),

-- one row per collection and measure
recommended as (

    select
        collection_key,
        measure,
        max(n_runs) as n_runs,
        max(estimator) filter (where place = 1) as estimator,
        max(mae) filter (where place = 1) as mae,
        max(estimator) filter (where is_on_leaderboard and place_on_leaderboard = 1) as leaderboard_estimator,
        max(mae) filter (where is_on_leaderboard and place_on_leaderboard = 1) as leaderboard_mae,
        max(mae) filter (where estimator = 'unadjusted') as unadjusted_mae
    from placed
    group by
        collection_key,
        measure

)

select * from recommended
