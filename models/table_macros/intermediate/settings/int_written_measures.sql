{{ config(materialized='own_macro', arguments=['asked']) }}
with

{{ imports('measures') }},

-- one row: the notation of the measure that the argument means; the argument where it means none
written as (

    select coalesce({{ meant_measure('asked') }}, asked) as measure
    from measures

)

select * from written
