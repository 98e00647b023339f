with

{{ imports(grades='audit_grades where ' ~ is_named_at_hand()) }},

-- one row per collection
figures as (

    select
        collection_id,
        {{ figures(counted('grades_are_on_the_declared_scale', 'is_on_scale', naming=['relevance', 'n_lines'])) }}
    from grades
    group by collection_id

)

select * from figures
