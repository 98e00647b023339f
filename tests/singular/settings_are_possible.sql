-- Return problems with the variables with which the models are compiled. `poolhouse settings` refuses such values,
-- and dbt's own `--vars` option does not.
with

problems as (

    select * from {{ ref('int_setting_problems') }}

)

select * from problems
