with

{{ imports('settings', chosen='int_settings', notations='int_measure_notations') }},

-- one row per setting and value, and one per setting without a value: the problem, or null
judged as (

    select
        settings.name,
        coalesce(chosen.position, 0) as position,
        case
            when chosen.value is null then 'it takes at least one value'
            when settings.name = 'measures' and {{ problem_with_asked('chosen.value') }} is not null
                then {{ problem_with_asked('chosen.value') }}
            when not regexp_full_match(chosen.value, settings.pattern)
                then chosen.value || ' is not possible: it takes ' || settings.possible_values
            when row_number() over (partition by settings.name, chosen.value order by chosen.position) > 1
                then chosen.value || ' occurs twice'
            when chosen.value not in (select others.value from chosen as others where others.name = settings.within)
                then chosen.value || ' is not in ' || settings.within || ', which must contain it'
        end as problem
    from settings
    left join chosen on settings.name = chosen.name

)

select * from judged
where problem is not null
