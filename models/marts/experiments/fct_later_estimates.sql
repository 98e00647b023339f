with

{{ imports('int_collections', 'int_runs', estimates='int_later_errors') }},

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
        estimates.error,
        estimates.holds_truth,
        estimates.unjudged_weight,
        estimates.unknown_weight
    from estimates
    inner join collections using (collection_key)
    inner join runs using (collection_key, run_key)

)

select * from named
