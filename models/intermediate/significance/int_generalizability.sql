with

{{ imports(analyses='int_complete_analyses') }},

-- one row per collection and measure: the contributions of runs, topics and residual to the variance of a score
components as (

    select
        analyses.collection_key,
        analyses.measure,
        analyses.n_runs,
        analyses.n_topics,
        {{ variance_component('analyses.runs_mean_square', 'analyses.error_mean_square', 'analyses.n_topics') }}
            as run_variance,
        {{ variance_component('analyses.topics_mean_square', 'analyses.error_mean_square', 'analyses.n_runs') }}
            as topic_variance,
        {{ comparable_square('analyses.error_mean_square') }} as residual_variance
    from analyses

),

coefficients as (

    select
        *,
        {{ generalizability('run_variance', 'residual_variance', 'n_topics') }} as generalizability,
        {{ dependability('run_variance', 'topic_variance', 'residual_variance', 'n_topics') }} as dependability
    from components

)

select * from coefficients
