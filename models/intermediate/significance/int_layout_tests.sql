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
    inner join critical_values using (collection_key, n_runs, error_degrees_of_freedom)

)

select * from tests
