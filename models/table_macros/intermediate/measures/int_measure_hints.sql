{{ config(arguments=['asked']) }}

with

{{ imports('measures', notations='int_measure_notations') }},

hints as (

    -- the type of a null argument is not text
    select
        cast(asked || ' is written ' || {{ meant_measure('asked') }} as varchar) as hint,
        cast({{ problem_with_asked('asked') }} as varchar) as problem
    from measures
    where {{ written_measure('asked') }} <> asked

)

select * from hints
