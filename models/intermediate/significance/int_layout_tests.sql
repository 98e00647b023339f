with

{{ imports('int_critical_values', analyses='int_layout_analyses') }},

tests as (

    select
        analyses.*,
        critical_values.critical_f,
        critical_values.critical_bonferroni_t,
        critical_values.critical_studentized_range,
        {{ comparable_square('analyses.runs_mean_square') }}
        > {{ comparable_square('analyses.error_mean_square * critical_values.critical_f') }} as has_differences
    from analyses
    inner join critical_values
        on
            analyses.collection_key = critical_values.collection_key
            and analyses.n_runs = critical_values.n_runs
            and analyses.error_degrees_of_freedom = critical_values.error_degrees_of_freedom

)

select * from tests
