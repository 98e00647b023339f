with

{{ imports(estimates='experiments.later_estimates') }},

-- one row per run, measure and estimator: what was said, and how far it is from the scores that are possible
errors as (

    select
        estimates.*,
        {{ comparable('estimates.estimate - ' ~ clipped(
            'estimates.estimate', 'estimates.truth_low', 'estimates.truth_high'
        )) }} as error,
        {{ comparable('estimates.ci_95_low') }} <= {{ comparable('estimates.truth_high') }}
        and {{ comparable('estimates.ci_95_high') }} >= {{ comparable('estimates.truth_low') }} as holds_truth
    from estimates

)

select * from errors
