with

{{ imports('int_collections', 'int_runs', estimates='experiments.later_estimates') }},

named as (

    select
        collections.collection_id,
        estimates.experiment,
        runs.run_id,
        estimates.is_pooled,
        estimates.measure,
        estimates.estimator,
        estimates.estimate,
        estimates.ci_95_low,
        estimates.ci_95_high,
        estimates.truth_low,
        estimates.truth_high,
        -- the distance to the nearest score that is possible
        {{ comparable('estimates.estimate - ' ~ clipped(
            'estimates.estimate', 'estimates.truth_low', 'estimates.truth_high'
        )) }} as error,
        {{ comparable('estimates.ci_95_low') }} <= {{ comparable('estimates.truth_high') }}
        and {{ comparable('estimates.ci_95_high') }} >= {{ comparable('estimates.truth_low') }} as holds_truth,
        estimates.unjudged_weight,
        estimates.unknown_weight
    from estimates
    inner join collections using (collection_key)
    inner join runs using (collection_key, run_key)

)

select * from named
