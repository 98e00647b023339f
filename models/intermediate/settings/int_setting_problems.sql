with

{{ imports('settings', chosen='int_settings', notations='int_measure_notations') }},

-- one row per value, with whether it is possible for its kind; for a measure, the problem as text
judged as (

    select
        chosen.*,
        settings.name as known_name,
        settings.is_list,
        settings.within,
        settings.possible_values,
        case settings.kind
            when 'count' then regexp_full_match(chosen.value, '[1-9][0-9]{0,5}')
            when 'share'
                then
                    regexp_full_match(chosen.value, '[0-9]{0,3}[.]?[0-9]{1,20}(e-[0-9]{1,2})?')
                    and coalesce(try_cast(chosen.value as double) between 1e-99 and 1, false)
            when 'hundredths' then regexp_full_match(chosen.value, '0|1|0?[.][0-9]{1,2}|1[.]00?')
            when 'choice' then list_contains(string_split(settings.possible_values, ', '), chosen.value)
            when 'bias_measure' then regexp_full_match(chosen.value, '{{ bias_measure_pattern() }}')
            when 'uncut_measure' then regexp_full_match(chosen.value, '{{ additive_pattern() }}')
            else true
        end as is_possible,
        case
            when settings.kind = 'measure' then {{ problem_with_asked('chosen.value') }}
        end as problem_of_measure,
        -- whether a cutoff or level of a measure is too long for the types of the models
        settings.kind in ('measure', 'bias_measure', 'uncut_measure')
        and regexp_matches(chosen.value, '[0-9]{7}') as has_long_number
    from chosen
    left join settings on chosen.name = settings.name

),

-- one row per value that is not possible by itself
wrong_values as (

    select
        1 as step,
        name,
        position,
        case
            when known_name is null then 'there is no setting of this name'
            when problem_of_measure is not null then problem_of_measure
            when not is_possible then value || ' is not possible: it takes ' || possible_values
            when has_long_number then value || ' has a number of more than six digits'
        end as problem
    from judged
    where
        known_name is null
        or problem_of_measure is not null
        or not is_possible
        or has_long_number

),

-- one row per setting with a wrong number of values
wrong_counts as (

    select
        2 as step,
        settings.name,
        0 as position,
        case
            when settings.is_list then 'it takes at least one value'
            else 'it takes one value, and not ' || count(chosen.name)
        end as problem
    from settings
    left join chosen on settings.name = chosen.name
    group by
        settings.name,
        settings.is_list
    having count(chosen.name) = 0 or (count(chosen.name) > 1 and not settings.is_list)

),

-- one row per value of a list that is repeated
repeated_values as (

    select
        3 as step,
        name,
        position,
        value || ' occurs twice' as problem
    from judged
    where is_list
    qualify row_number() over (partition by name, value order by position) > 1

),

-- one row per value that another setting must contain and does not
lacking_values as (

    select
        4 as step,
        judged.name,
        judged.position,
        judged.value || ' is not in ' || judged.within || ', which must contain it' as problem
    from judged
    left join chosen
        on
            judged.within = chosen.name
            and judged.value = chosen.value
    where
        judged.within is not null
        and chosen.name is null

),

problems as (

    select * from wrong_values
    union all
    select * from wrong_counts
    union all
    select * from repeated_values
    union all
    select * from lacking_values

)

select * from problems
