-- What is wrong with the variables by which the models are compiled: `poolhouse settings` refuses it, and
-- dbt's own `--vars` do not.
with

problems as (

    select * from {{ ref('int_setting_problems') }}

)

select * from problems
